import { join } from "node:path"
import { createApp } from "../src/app.ts"
import { loadConfig } from "../src/config/load.ts"
import type { User } from "../src/domain/model.ts"

export const secret = "a secret for measurements alone, 32 bytes and more"

const people = 1000
const pointsEach = 1_000_000_000

/**
 * Founds a company of 1,000 regular users in `folder`, each with points that no measurement can use up. The database
 * is `rewards.db`, closed; returns the file that tells load.lua who they are, with their tokens and sessions.
 */
export async function foundCompany(folder: string): Promise<string> {
  await using house = await openHouse(join(folder, "rewards.db"))
  const { app } = house
  const password = await Bun.password.hash("the password of everybody", { algorithm: "bcrypt", cost: 4 })

  const admin = await house.user("admin")
  const members: User[] = []
  for (let number = 1; number <= people; number += 1) {
    const username = `person-${number}`
    const email = `${username}@example.com`
    const rest = { password, avatar: null, bio: null, dept: "sales", currency: "USD" }
    members.push(await app.store.users.create({ username, email, name: `Person ${number}`, ...rest }))
  }
  await Promise.all(members.map((receiver) => app.ledger.sendPoints({ sender: admin, receiver, value: pointsEach })))

  const file = join(folder, "people.txt")
  await writePeople(
    file,
    members,
    async (user) => `${await house.tokenOf(user)}\t${await app.sessions.open(user, null)}`,
  )
  return file
}

/** A line for each: user name, and credentials with a tab between token and session id. */
export async function writePeople(file: string, users: readonly User[], credentials: (user: User) => Promise<string>) {
  const lines = await Promise.all(users.map(async (user) => `${user.username}\t${await credentials(user)}\n`))
  await Bun.write(file, lines.join(""))
}

export interface Person {
  readonly username: string
  readonly token: string
}

/** Those of a file that `writePeople` wrote. */
export async function readPeople(file: string): Promise<readonly Person[]> {
  const lines = (await Bun.file(file).text()).trimEnd().split("\n")
  return lines.map((line) => {
    const [username = "", token = ""] = line.split("\t")
    return { username, token }
  })
}

/** The application on a database, without HTTP. */
export async function openHouse(database: string) {
  const flags = { "db.path": database, "security.secret_key": secret }
  const config = loadConfig({ cwd: ".", configPath: null, env: {}, flags, underTest: false, needsSecret: true })
  const app = await createApp(config)
  return {
    app,
    async user(username: string): Promise<User> {
      const user = await app.store.users.byUsername(username)
      if (!user) throw new Error(`there is no ${username}`)
      return user
    },
    tokenOf: async (user: User) => (await app.tokens.signPair(user, { fresh: true })).accessToken,
    [Symbol.asyncDispose]: () => app.close(),
  }
}
