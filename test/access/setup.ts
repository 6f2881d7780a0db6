import { join } from "node:path"
import { everybodysPassword } from "../support/cheap-passwords.ts"
import { createClient } from "../support/client.ts"
import { bearer, logIn as logInAt, sessionIn, type Tokens } from "../support/credentials.ts"
import { databaseIn, queriesTo } from "../support/database.ts"
import { nextResetToken } from "../support/debug-mail.ts"
import { cheapHashes, startServer, temporaryFolder } from "../support/executable.ts"

export interface Person {
  readonly username: string
  readonly email: string
}

/** Credentials: sessions, all of the person to whom something is done, or everybody's. */
export type Ends = "sessions" | "target" | "everything"

/** Two servers on one database, the second with a provider, four people and their credentials. */
export type Setup = Awaited<ReturnType<typeof startSetup>>

/** The secret with which Slack signs its requests. */
export const slackSecret = "8f742231b10e8888abcd99yyyzzz85a5"

/** The token of the slash command in Mattermost. */
export const mattermostToken = "nezum4kpu3faiec7r7c5zt6tfy"

const unlimited = {
  ...cheapHashes,
  REWARDS_LIMITS__LOGIN_FAILURES: "1000000",
  REWARDS_LIMITS__RESET_MAILS: "1000000",
  REWARDS_LIMITS__WRITES_PER_MINUTE: "0",
  REWARDS_EMAIL__DEBUG_DELAY_SECONDS: "0",
  REWARDS_WEBHOOKS__ALLOW_PRIVATE: "127.0.0.0/8",
  REWARDS_WEBHOOKS__PORTS: "9",
  REWARDS_SLACK__SIGNING_SECRET: slackSecret,
  REWARDS_SLACK__BOT_TOKEN: "xoxb-1",
  REWARDS_MATTERMOST__TOKENS: mattermostToken,
  REWARDS_MATTERMOST__URL: "http://127.0.0.1:9",
  REWARDS_MATTERMOST__BOT_TOKEN: "bot4kpu3faiec7r7c5zt6tfyab",
}

/** A provider that cannot be reached. */
const provider = { REWARDS_OIDC__ISSUER: "http://127.0.0.1:1", REWARDS_OIDC__CLIENT_ID: "rewards" }

export async function startSetup() {
  const folder = await temporaryFolder()
  const [admin, ana, bruno, carla] = [
    { username: "admin", email: "admin@localhost" },
    ...["ana", "bruno", "carla"].map((username) => ({ username, email: `${username}@example.com` })),
  ] as [Person, Person, Person, Person]
  const expiredSession = await prepare(folder.path, [ana, bruno, carla])

  const [server, closed] = await Promise.all([
    startServer({ cwd: folder.path, env: unlimited }),
    startServer({
      cwd: folder.path,
      env: { ...unlimited, ...provider, REWARDS_STREAM__ACCESS: "auth", REWARDS_DIRECTORY__ACCESS: "auth" },
    }),
  ])
  const database = queriesTo(await databaseIn(folder.path))
  const anybody = createClient(server.url)
  const created = new Map<string, Promise<unknown>>()

  const once = <T>(key: string, make: () => Promise<T>) => {
    if (!created.has(key)) created.set(key, make())
    return created.get(key) as Promise<T>
  }
  const logIn = ({ username }: Person) =>
    once(`tokens of ${username}`, () => logInAt(server.url, username, everybodysPassword))
  const refresh = (person: Person) =>
    once(`refreshed tokens of ${person.username}`, async () => {
      const { refresh_token } = await logIn(person)
      return (await anybody.post<Tokens>("/refresh_token", { refresh_token })).body
    })
  const session = (person: Person) =>
    once(`session of ${person.username}`, async () => sessionIn(await anybody.submit("/login", form(person))))
  const resetToken = (person: Person) =>
    once(`reset token of ${person.username}`, async () => {
      const mail = await nextResetToken(join(folder.path, "email.log"), person.email)
      await anybody.post("/user/pwd_reset_token/", { email: person.email })
      return mail.arrives()
    })
  const asPerson = async (person: Person) => createClient(server.url, bearer((await logIn(person)).access_token))
  const giveDuties = async ({ username }: Person, duties: readonly string[]) => {
    const { status } = await (await asPerson(admin)).patch(`/api/v1/users/${username}`, { duties })
    if (status !== 200) throw new Error(`${username} got no duties: ${status}`)
  }
  const moveAna = async (dept: string) => (await asPerson(admin)).patch("/api/v1/users/ana", { dept })
  const apiTokens = new Map<string, string>()
  /** Cached beyond `forget`, because only a few rows end it. */
  const apiToken = (person: Person, scope: string) =>
    once(`API token of ${person.username} for ${scope}`, async () => {
      const key = `${person.username} ${scope}`
      const known = apiTokens.get(key)
      if (known && (await createClient(server.url, bearer(known)).get("/api/v1/session")).body !== null) return known
      // A member's token of scope admin was created while the member was a superuser.
      const isPromoted = person === ana && scope === "admin"
      if (isPromoted) await moveAna("management")
      const request = { name: scope, scopes: [scope] }
      const { body } = await (await asPerson(person)).post<{ token: string }>("/api/v1/tokens", request)
      if (isPromoted) await moveAna("sales")
      apiTokens.set(key, body.token)
      return body.token
    })
  const newServiceToken = async ({ username }: Person, scopes: readonly string[]) => {
    const client = await asPerson(admin)
    const request = { name: "Service", scopes, username }
    return (await client.post<{ id: number; token: string }>("/api/v1/service-tokens", request)).body
  }
  /** Forgets the credentials that something may have ended; they are created again when needed. */
  const forget = (ended: Ends, target: string) => {
    const isEnded = {
      sessions: (key: string) => key.startsWith("session "),
      target: (key: string) => ` ${key} `.includes(` of ${target} `),
      everything: () => true,
    }[ended]
    for (const key of [...created.keys()].filter(isEnded)) created.delete(key)
  }

  const ended = { ...(await logIn(ana)), reset: await resetToken(ana), session: await session(ana) }
  const change = { password: everybodysPassword, password_confirm: everybodysPassword }
  const asAdmin = createClient(server.url, bearer((await logIn(admin)).access_token))
  const { status } = await asAdmin.post("/user/ana/password/", change)
  if (status !== 200) throw new Error(`Ana's password could not be changed: ${status}`)
  forget("target", ana.username)

  const serviceToken = await newServiceToken(ana, ["give"])

  return {
    /** `open` has `stream.access` and `directory.access` set to public, `closed` to auth. */
    urls: { open: server.url, closed: closed.url },
    admin,
    ana,
    bruno,
    carla,
    logIn,
    refresh,
    session,
    resetToken,
    apiToken,
    newServiceToken,
    giveDuties,
    /** A service token that sends points in Ana's name. */
    serviceToken: serviceToken.token,
    forget,
    /** Ana's credentials from before the change of her password. */
    ended,
    expiredSession,
    /** The id of a redemption that has not been answered. */
    async openRedemption() {
      const open = "SELECT id FROM redemptions WHERE state = 'requested' LIMIT 1"
      return (await database.query<{ id: number }>(open))[0]?.id ?? 0
    },
    /** The id of a new mail that was given up. */
    async discardedMail() {
      const [{ id } = { id: 0 }] = await database.query<{ id: number }>(`
        INSERT INTO jobs (kind, payload, state, max_attempts, retry_until, run_at, created_at, finished_at)
        VALUES ('recap_mail', '{}', 'discarded', 1, 0, 0, 0, ${Date.now()}) RETURNING id`)
      return id
    },
    /** The data that a refused request must not change. */
    state: async () =>
      JSON.stringify(await Promise.all(tables.map((table) => database.query(`SELECT * FROM ${table}`)))),
    async [Symbol.asyncDispose]() {
      database[Symbol.dispose]()
      await Promise.all([server.stop(), closed.stop()])
      await folder[Symbol.asyncDispose]()
    },
  }
}

const tables = ["users", "transactions", "balances", "rewards", "redemptions", "programme"]

/**
 * Creates the people with points, Sol in another department, Lea, who has left, and reward 1, which Carla redeems ten times. Opens a session of Ana that lasts one
 * second.
 */
async function prepare(cwd: string, people: readonly Person[]): Promise<string> {
  const adminsPassword = { REWARDS_SECURITY__ADMIN_PASSWORD: everybodysPassword }
  const env = { ...cheapHashes, ...adminsPassword, REWARDS_SESSION__EXPIRE_SECONDS: "1" }
  await using server = await startServer({ cwd, env })
  const { access_token } = await logInAt(server.url, "admin", everybodysPassword)
  const admin = createClient(server.url, bearer(access_token))
  for (const { username, email } of people) {
    await admin.post("/user/", { name: username, email, dept: "sales", password: everybodysPassword })
    await admin.post(`/transaction/${username}/`, { value: 1000 })
  }
  await admin.post("/user/", { name: "Sol", email: "sol@example.com", dept: "support", password: everybodysPassword })
  await admin.post("/user/", { ...lea, password: everybodysPassword })
  await admin.patch("/api/v1/users/lea", { active: false })
  await admin.post("/api/v1/rewards", { name: "Mug", cost: 1 })
  const carla = createClient(server.url, bearer((await logInAt(server.url, "carla", everybodysPassword)).access_token))
  for (let count = 0; count < 10; count += 1) await carla.post("/api/v1/rewards/1/redemptions")
  const session = sessionIn(await admin.submit("/login", { username: "ana", password: everybodysPassword }))
  await Bun.sleep(1000)
  return session
}

const lea = { name: "Lea", username: "lea", email: "lea@example.com", dept: "former" }

const form = ({ username }: Person) => ({ username, password: everybodysPassword })
