import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Answer, createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { runCommand, type StartedServer, startServer, temporaryFolder } from "../support/executable.ts"
import { type Ending, recordings, suffixes, type Told } from "./recorded.ts"

/*
 * bun test/upgrade/record.ts 0.2.0
 *
 * Stores the database that the executable of this release writes. Run it once for each release, on the tagged commit.
 * From then on, upgrade.test.ts opens all of these databases.
 */
const secretKey = "a secret of the records alone, 32 bytes and more"
const passwords = { admin: "admin", "ana-souza": "Ana's, for good", "bruno-lima": "Bruno's second", 李雷: "李雷的密码" }
const env = { REWARDS_SECURITY__SECRET_KEY: secretKey }
const paths = [
  "/user/?show_balance=true",
  "/transaction/",
  "/transaction/?order_by=-value&size=3",
  "/transaction/李雷/",
]

if (import.meta.main) {
  const [release] = process.argv.slice(2)
  if (release === undefined) throw new Error("name the release, as in: bun test/upgrade/record.ts 0.2.0")
  const folder = join(recordings, release)
  if (existsSync(folder)) throw new Error(`${folder} exists: what a release wrote does not change`)
  await record(folder)
  console.log(`wrote ${folder}`)
}

/**
 * Writes to `folder` the database of the executable, once after a normal end and once after a kill, and the answers of
 * the server.
 */
export async function record(folder: string) {
  await using place = await temporaryFolder()
  const cwd = place.path
  const resetTokens = await liveFirstPart(cwd)
  await using server = await serve(cwd, { mailDelaySeconds: 3600 })
  const told = await liveSecondPart(cwd, server, resetTokens)
  await server.stop("SIGKILL")
  mkdirSync(folder, { recursive: true })
  keep(cwd, folder, "killed")
  await using again = await serve(cwd, { mailDelaySeconds: 3600 })
  await again.stop()
  keep(cwd, folder, "closed")
  writeFileSync(join(folder, "told.json"), `${JSON.stringify(told, null, 2)}\n`)
}

/** Writes some of everything that a database can hold, through every interface. */
async function liveFirstPart(cwd: string): Promise<Told["resetTokens"]> {
  await using server = await serve(cwd, { mailDelaySeconds: 0 })
  const [anybody, admin] = [createClient(server.url), await as(server, "admin")]
  await must(admin.post("/user/", person("Ana Souza", passwords["ana-souza"])))
  await must(admin.post("/user/", { ...person("Bruno Lima", "Bruno's first"), bio: "📣" }))
  await must(admin.patch("/user/ana-souza/", { avatar: "https://example.com/ana.png", bio: 'Thanks "a" lot\n' }))
  for (const value of [100, 25, 2 ** 40]) await must(admin.post("/transaction/ana-souza/", { value }))

  const resetTokens = {
    good: await resetToken(cwd, server, "ana-souza"),
    spent: await resetToken(cwd, server, "bruno-lima"),
  }
  const password = passwords["bruno-lima"]
  const change = { password, password_confirm: password }
  await must(anybody.post(`/user/bruno-lima/password/?pwd_reset_token=${resetTokens.spent}`, change))
  return resetTokens
}

/** Leaves all its changes in the write-ahead log. */
async function liveSecondPart(cwd: string, server: StartedServer, resetTokens: Told["resetTokens"]): Promise<Told> {
  await run(cwd, ["create-user", "李雷", "Lei.Li@Example.com", passwords.李雷, "management", "--currency", "CNY"])
  await run(cwd, ["transaction", "bruno-lima", "7"])
  const ana = await as(server, "ana-souza")
  for (const receiver of ["bruno-lima", "ana-souza", "李雷"])
    await must(ana.post(`/transaction/${receiver}/`, { value: 20 }))
  await must((await as(server, "李雷")).post("/transaction/bruno-lima/", { value: 1_000_000 }))
  await must(ana.post("/user/pwd_reset_token/", { email: "bruno-lima@example.com" }))

  const form = { username: "ana-souza", password: passwords["ana-souza"] }
  const session = await must(createClient(server.url).submit("/login", form))
  const tokens = await logIn(server, "admin")
  const admin = createClient(server.url, bearer(tokens.access_token))
  const answers: Record<string, unknown> = {}
  for (const path of paths) answers[path] = (await must(admin.get(path))).body
  return {
    writtenAt: Date.now(),
    secretKey,
    passwords,
    tokens,
    sessionId: /^session_id=([0-9a-f]{32});/.exec(session.headers?.["set-cookie"] ?? "")?.[1] ?? "",
    resetTokens,
    waitingMailTo: "bruno-lima@example.com",
    answers,
  }
}

function serve(cwd: string, { mailDelaySeconds }: { mailDelaySeconds: number }): Promise<StartedServer> {
  return startServer({ cwd, env: { ...env, REWARDS_EMAIL__DEBUG_DELAY_SECONDS: String(mailDelaySeconds) } })
}

async function run(cwd: string, args: readonly string[]) {
  const { status, stderr } = await runCommand(args, { cwd, env })
  if (status !== 0) throw new Error(stderr)
}

async function logIn({ url }: StartedServer, username: keyof typeof passwords): Promise<Told["tokens"]> {
  const form = { username, password: passwords[username] }
  const { access_token, refresh_token } = (await must(createClient(url).submit<Told["tokens"]>("/token", form))).body
  return { access_token, refresh_token }
}

async function as(server: StartedServer, username: keyof typeof passwords) {
  return createClient(server.url, bearer((await logIn(server, username)).access_token))
}

async function resetToken(cwd: string, { url }: StartedServer, username: string): Promise<string> {
  const log = join(cwd, "email.log")
  const email = `${username}@example.com`
  await must(createClient(url).post("/user/pwd_reset_token/", { email }))
  for (;;) {
    const [, mail = ""] = (existsSync(log) ? readFileSync(log, "utf8") : "").split(`--- START EMAIL ${email} ---`)
    const [, token] = /pwd_reset_token=(\S+).*--- END OF EMAIL ---/s.exec(mail) ?? []
    if (token !== undefined) return token
    await Bun.sleep(20)
  }
}

async function must<T>(answering: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await answering
  if (answer.status >= 300) throw new Error(JSON.stringify(answer))
  return answer
}

function person(name: string, password: string) {
  return { name, email: `${name.toLowerCase().replace(" ", "-")}@example.com`, dept: "sales", password }
}

function keep(cwd: string, folder: string, ending: Ending) {
  for (const suffix of suffixes[ending]) {
    const bytes = readFileSync(join(cwd, `rewards.db${suffix}`))
    writeFileSync(join(folder, `${ending}.db${suffix}.gz`), Bun.gzipSync(bytes, { level: 9 }))
  }
}
