import { join } from "node:path"
import { createApp } from "../src/app/app.ts"
import { loadConfig } from "../src/config/load.ts"
import type { User } from "../src/domain/people/model.ts"
import { isSuperuser } from "../src/domain/people/roles.ts"

export const secret = "a secret for measurements alone, 32 bytes and more"

export const pointsEach = 1_000_000_000

/**
 * Creates a company of regular users, each with more points than a measurement can use up. The database is `rewards.db` in
 * `folder`, closed, or the one that `url` names; returns the file with their tokens and sessions for load.lua.
 */
export async function createCompany(folder: string, { people = 1000, url = "" } = {}): Promise<string> {
  await using inProcess = await openInProcess(url === "" ? join(folder, "rewards.db") : url)
  const { app } = inProcess
  const password = await Bun.password.hash("the password of everybody", { algorithm: "bcrypt", cost: 4 })

  const members: User[] = []
  for (let number = 1; number <= people; number += 1) {
    const username = `person-${number}`
    const email = `${username}@example.com`
    const rest = { password, avatar: null, bio: null, dept: "sales", currency: "USD" }
    members.push(await app.store.users.create({ username, email, name: `Person ${number}`, ...rest }))
  }
  await endow(inProcess, members)

  const file = join(folder, "people.txt")
  await writePeople(
    file,
    members,
    async (user) => `${await inProcess.tokenOf(user)}\t${await app.sessions.open(user, null)}`,
  )
  return file
}

/** Gives everybody more points than a measurement can use up; some at a time, so that none waits too long for a connection. */
export async function endow({ app, user }: Awaited<ReturnType<typeof openInProcess>>, members: readonly User[]) {
  const sender = await user("admin")
  for (let from = 0; from < members.length; from += 500)
    await Promise.all(
      members.slice(from, from + 500).map((receiver) => app.ledger.sendPoints({ sender, receiver, value: pointsEach })),
    )
}

/** One line for each user: username as it stands in a path, token and session id, separated by tabs. */
export async function writePeople(file: string, users: readonly User[], credentials: (user: User) => Promise<string>) {
  const lines = await Promise.all(
    users.map(async (user) => `${encodeURIComponent(user.username)}\t${await credentials(user)}\n`),
  )
  await Bun.write(file, lines.join(""))
}

export interface Person {
  readonly username: string
  readonly token: string
}

/** Reads a file that `writePeople` wrote. */
export async function readPeople(file: string): Promise<readonly Person[]> {
  const lines = (await Bun.file(file).text()).trimEnd().split("\n")
  return lines.map((line) => {
    const [username = "", token = ""] = line.split("\t")
    return { username, token }
  })
}

/** Opens the application on a file or URL in this process, without HTTP and without a transfer limit. */
export async function openInProcess(database: string) {
  const key = /^postgres(ql)?:/.test(database) ? "db.url" : "db.path"
  const flags = { [key]: database, "security.secret_key": secret, "limits.transfers_per_minute": "0" }
  const config = loadConfig({ cwd: ".", configPath: null, env: {}, flags, underTest: false, needsSecret: true })
  const app = await createApp(config)
  return {
    app,
    async user(username: string): Promise<User> {
      const user = await app.store.users.byUsername(username)
      if (!user) throw new Error(`there is no user ${username}`)
      return user
    },
    tokenOf: async (user: User) => (await app.tokens.signPair(user, { fresh: true })).accessToken,
    [Symbol.asyncDispose]: () => app.close(),
  }
}

const memberCount = 1000

/** Who reads pages under load. Each request picks a random person and one of the first `pages` pages. */
export const pageReaders = [
  { name: "superuser", pages: 1000 },
  { name: "members", pages: 2 },
] as const

/** Writes files for load.lua into `folder`, with people of a generated database. */
export async function peopleFiles(database: string, folder: string) {
  await using inProcess = await openInProcess(database)
  const members = (await inProcess.app.store.users.list()).filter((user) => !isSuperuser(user)).slice(0, memberCount)
  const files = { superuser: join(folder, "superuser.txt"), members: join(folder, "members.txt") }
  const token = async (user: User) => `${await inProcess.tokenOf(user)}\t`
  await writePeople(files.superuser, [await inProcess.user("admin")], token)
  await writePeople(files.members, members, token)
  return files
}
