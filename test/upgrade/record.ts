import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Secret, TOTP } from "otpauth"
import { fillDemo } from "../../src/cli/demo/fill.ts"
import type { Scale } from "../../src/cli/demo/year.ts"
import { sha256 } from "../../src/domain/text.ts"
import type { Migration } from "../../src/storage/migrations.ts"
import { migrations as postgresql } from "../../src/storage/postgres/database/migrations.ts"
import { migrations as sqlite } from "../../src/storage/sqlite/database/migrations.ts"
import { type Answer, type Client, createClient } from "../support/client.ts"
import { bearer, cookie, sessionIn } from "../support/credentials.ts"
import { databaseVariable, type Place } from "../support/database.ts"
import { runCommand, type StartedServer, startServer, temporaryFolder } from "../support/executable.ts"
import { testDatabase } from "../support/postgres.ts"
import { until } from "../support/until.ts"
import { type Hashes, pack, type Repeatable, recordings, type StoreName, suffixes, type Told } from "./recorded.ts"
import { dump } from "./rows.ts"

/*
 * bun test/upgrade/record.ts 0.2.0
 *
 * Stores the databases that the executable of this release writes, on SQLite and on PostgreSQL. Run it once for each
 * release, on the commit that gets the tag. From then on, upgrade.postgres.test.ts opens all of these databases.
 */
const secretKey = "a secret of the records alone, 32 bytes and more"
const passwords = {
  admin: "admin",
  "noemi-haas": "Noemi's, for good",
  "otto-brandt": "Otto's second",
  李雷: "李雷的密码",
}
const paths = [
  "/user/?show_balance=true",
  "/transaction/?size=100",
  "/transaction/?order_by=-date&size=100",
  "/transaction/?order_by=-value&size=3",
  "/transaction/李雷/",
  "/transaction/priya-menon/?order_by=from_user",
  "/api/v1/transactions",
  "/api/v1/feed",
  "/api/v1/stats",
  "/api/v1/leaderboard",
  "/api/v1/notifications",
  "/api/v1/allowances",
  "/api/v1/rewards",
  "/api/v1/redemptions",
  "/api/v1/departments",
  "/api/v1/webhooks",
  "/api/v1/users/noemi-haas",
  "/api/v1/people",
  "/api/v1/people/priya-menon",
  "/api/v1/insights/participation",
  "/api/v1/insights/departments",
  "/api/v1/insights/tags",
  "/api/v1/insights/budgets",
]

/** What Noemi asks for under an idempotency key, and may ask for again. */
const repeatable = [
  {
    key: "thanks",
    path: "/api/v1/transactions",
    json: { to: ["otto-brandt", "李雷"], value: 5, reason: "Ação & 謝謝", private: true },
  },
  { key: "token", path: "/api/v1/tokens", json: { name: "Kiosk", scopes: ["give"] } },
]

const allowance = {
  name: "For two",
  value: 3,
  mode: "add",
  period: "quarter",
  on: "last",
  audience: { usernames: ["noemi-haas", "otto-brandt"] },
}

/** A year with some of everything, small enough to be kept for ever. */
const smallYear: Scale = {
  recognitions: 300,
  groups: 12,
  reactions: 60,
  replies: 20,
  additions: 12,
  congratulations: 40,
  wishes: 6,
  corrections: 4,
  redemptions: 6,
  newcomers: 2,
  leavers: 3,
  erasures: 1,
}

if (import.meta.main) {
  const [release] = process.argv.slice(2)
  if (release === undefined) throw new Error("name the release, as in: bun test/upgrade/record.ts 0.2.0")
  const folder = join(recordings, release)
  if (existsSync(folder)) throw new Error(`${folder} exists: what a release wrote does not change`)
  try {
    await record(folder)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  console.log(`wrote ${folder}`)
}

/** Writes to `folder` what `recorded.ts` reads. */
export async function record(folder: string) {
  mkdirSync(folder, { recursive: true })
  const hashes: Hashes = { sqlite: hashesOf(sqlite), postgresql: hashesOf(postgresql) }
  writeFileSync(join(folder, "migrations.json"), `${JSON.stringify(hashes, null, 2)}\n`)
  await Promise.all([recordSqlite(folder), recordPostgresql(folder)])
}

function hashesOf(migrations: readonly Migration[]): Hashes[StoreName] {
  return Object.fromEntries(migrations.map(({ tag, sql }) => [tag, sha256(sql)]))
}

async function recordSqlite(folder: string) {
  await using made = await temporaryFolder()
  const home: Home = { cwd: made.path, place: { path: join(made.path, "rewards.db"), url: null } }
  pack(join(folder, "sqlite.json"), await live(home))
  keep("sqlite-killed")
  await using again = await serve(home, { mailDelaySeconds: 3600 })
  await again.stop()
  keep("sqlite-closed")

  function keep(state: keyof typeof suffixes) {
    for (const suffix of suffixes[state])
      pack(join(folder, `${state}.db${suffix}`), readFileSync(home.place.path + suffix))
  }
}

async function recordPostgresql(folder: string) {
  await using made = await temporaryFolder()
  await using database = await testDatabase()
  const place = { path: join(made.path, "rewards.db"), url: database.url }
  pack(join(folder, "postgresql.json"), await live({ cwd: made.path, place }))
  pack(join(folder, "postgresql.rows"), await dump(database.url))
}

/** A working directory and its database. */
interface Home {
  readonly cwd: string
  readonly place: Place
}

/** Lets a company use a new database for a year, and then the server, which is killed in the end. Returns what it told. */
async function live(home: Home): Promise<string> {
  const { path, url } = home.place
  await fillDemo({ database: url ?? path, scale: smallYear, until: Date.now() })
  const resetTokens = await liveFirstPart(home)
  await using server = await serve(home, { mailDelaySeconds: 3600 })
  const told = await liveSecondPart(home, server, resetTokens)
  await server.stop("SIGKILL")
  return JSON.stringify(told)
}

/** Writes accounts, points and credentials, through every interface. */
async function liveFirstPart(home: Home): Promise<Told["resetTokens"]> {
  await using server = await serve(home, { mailDelaySeconds: 0 })
  const [anybody, admin] = [createClient(server.url), await as(server, "admin")]
  await must(admin.post("/user/", person("Noemi Haas", passwords["noemi-haas"])))
  await must(admin.post("/user/", { ...person("Otto Brandt", "Otto's first"), bio: "📣" }))
  await must(admin.patch("/user/noemi-haas/", { avatar: "https://example.com/noemi.png", bio: 'Thanks "a" lot\n' }))
  for (const value of [100, 25, 2 ** 40]) await must(admin.post("/transaction/noemi-haas/", { value }))

  const resetTokens = {
    good: await resetToken(home, server, "noemi-haas"),
    spent: await resetToken(home, server, "otto-brandt"),
  }
  const password = passwords["otto-brandt"]
  const change = { password, password_confirm: password }
  await must(anybody.post(`/user/otto-brandt/password/?pwd_reset_token=${resetTokens.spent}`, change))
  return resetTokens
}

/** Leaves all its changes in the write-ahead log. */
async function liveSecondPart(home: Home, server: StartedServer, resetTokens: Told["resetTokens"]): Promise<Told> {
  await run(home, ["create-user", "李雷", "Lei.Li@Example.com", passwords.李雷, "management", "--currency", "CNY"])
  await run(home, ["transaction", "otto-brandt", "7"])
  const noemi = await as(server, "noemi-haas")
  for (const receiver of ["otto-brandt", "noemi-haas", "李雷"])
    await must(noemi.post(`/transaction/${receiver}/`, { value: 20 }))
  await must((await as(server, "李雷")).post("/transaction/otto-brandt/", { value: 1_000_000 }))
  await must(noemi.post("/user/pwd_reset_token/", { email: "otto-brandt@example.com" }))
  await must(noemi.patch("/api/v1/me", { mail: "daily", language: "pt" }))
  await must(noemi.call("PUT", "/api/v1/me/templates", { json: { items: ["Thank you for the tour"] } }))
  const requests: Repeatable[] = []
  for (const { key, path, json } of repeatable) {
    const headers = { "idempotency-key": key }
    const request = () => must(noemi.call("POST", path, { json, headers }))
    await request()
    requests.push({ key, path, json, body: (await request()).body })
  }

  const form = { username: "noemi-haas", password: passwords["noemi-haas"] }
  const session = await must(createClient(server.url).submit("/login", form))
  const tokens = await logIn(server, "admin")
  const admin = createClient(server.url, bearer(tokens.access_token))
  await must(admin.post("/api/v1/allowances", allowance))
  await must(admin.post("/api/v1/webhooks", { url: "https://hooks.example.com/rewards", active: false }))
  const secondFactor = await setUpSecondFactor(server, admin)
  const answers: Record<string, unknown> = {}
  for (const path of paths) answers[path] = (await must(admin.get(path))).body
  return {
    writtenAt: Date.now(),
    secretKey,
    passwords,
    tokens,
    sessionId: sessionIn(session),
    resetTokens,
    requests,
    secondFactor,
    waitingMailTo: "otto-brandt@example.com",
    answers,
  }
}

async function setUpSecondFactor(server: StartedServer, admin: Client): Promise<Told["secondFactor"]> {
  const password = "Tomke's and a code"
  await must(admin.post("/user/", person("Tomke Vos", password)))
  const login = await must(createClient(server.url).submit("/login", { username: "tomke-vos", password }))
  const tomke = createClient(server.url, cookie(sessionIn(login)))
  const { secret } = (await must(tomke.post<{ secret: string }>("/api/v1/me/totp"))).body
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await must(tomke.post("/api/v1/me/totp/confirmation", { code, name: "Phone" }))
  const { codes } = (await must(tomke.post<{ codes: readonly string[] }>("/api/v1/me/recovery-codes"))).body
  return { username: "tomke-vos", password, secret, recoveryCode: codes[0] ?? "" }
}

/** The person at the command line has a name of their own, so that no recording names a user of this machine. */
function environmentOf(place: Place) {
  return { REWARDS_SECURITY__SECRET_KEY: secretKey, SUDO_USER: "operator", ...databaseVariable(place) }
}

function serve({ cwd, place }: Home, { mailDelaySeconds }: { mailDelaySeconds: number }): Promise<StartedServer> {
  return startServer({
    cwd,
    env: { ...environmentOf(place), REWARDS_EMAIL__DEBUG_DELAY_SECONDS: String(mailDelaySeconds) },
  })
}

async function run({ cwd, place }: Home, args: readonly string[]) {
  const { status, stderr } = await runCommand(args, { cwd, env: environmentOf(place) })
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

async function resetToken({ cwd }: Home, { url }: StartedServer, username: string): Promise<string> {
  const log = join(cwd, "email.log")
  const email = `${username}@example.com`
  await must(createClient(url).post("/user/pwd_reset_token/", { email }))
  let token: string | undefined
  await until(() => {
    const [, mail = ""] = (existsSync(log) ? readFileSync(log, "utf8") : "").split(`--- START EMAIL ${email} ---`)
    token = /pwd_reset_token=(\S+).*--- END OF EMAIL ---/s.exec(mail)?.[1]
    return token !== undefined
  })
  return token ?? ""
}

async function must<T>(answering: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await answering
  if (answer.status >= 300) throw new Error(JSON.stringify(answer))
  return answer
}

function person(name: string, password: string) {
  return { name, email: `${name.toLowerCase().replace(" ", "-")}@example.com`, dept: "sales", password }
}
