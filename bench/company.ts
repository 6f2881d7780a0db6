import { join } from "node:path"
import { createApp } from "../src/app.ts"
import { loadConfig } from "../src/config.ts"
import type { User } from "../src/domain/store.ts"

export const secret = "a secret for measurements alone, 32 bytes and more"

const people = 1000
const pointsEach = 1_000_000_000

/** Who the load comes from. */
export interface Company {
  /** A database with its people and one grant to each, closed. */
  readonly database: string
  /** For load.lua: a line for each person with name, token and session id. */
  readonly peopleFile: string
}

/** Founds a company of 1,000 regular users in `folder`, each with points that no measurement can use up. */
export async function foundCompany(folder: string): Promise<Company> {
  const database = join(folder, "rewards.db")
  await using house = await openHouse(database)
  const { users } = house.app.store
  const password = await Bun.password.hash("the password of everybody", { algorithm: "bcrypt", cost: 4 })

  const admin = await house.user("admin")
  const members: User[] = []
  for (let number = 1; number <= people; number += 1) {
    const username = `person-${number}`
    const email = `${username}@example.com`
    const rest = { password, avatar: null, bio: null, dept: "sales", currency: "USD" }
    members.push(await users.create({ username, email, name: `Person ${number}`, ...rest }))
  }
  const grant = (receiver: User) => house.app.ledger.sendPoints({ sender: admin, receiver, value: pointsEach })
  await Promise.all(members.map(grant))

  const peopleFile = join(folder, "people.txt")
  await Bun.write(peopleFile, (await Promise.all(members.map(house.credentialsOf))).join(""))
  return { database, peopleFile }
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
    /** A line for load.lua. */
    async credentialsOf(user: User): Promise<string> {
      const { accessToken } = await app.tokens.signPair(user, { fresh: true })
      return `${user.username}\t${accessToken}\t${await app.sessions.open(user, null)}\n`
    },
    [Symbol.asyncDispose]: () => app.close(),
  }
}
