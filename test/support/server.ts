import { createApp } from "../../src/app.ts"
import type { Flags } from "../../src/config/sources.ts"
import { loadConfig } from "../../src/config.ts"
import { adminUsername } from "../../src/domain/users.ts"
import { startServer } from "../../src/http/server.ts"
import { createLog } from "../../src/log.ts"
import type { Message } from "../../src/mail/mailer.ts"
import { type Client, createClient, exchange } from "./client.ts"
import { createTestClock } from "./clock.ts"
import { temporaryFolder } from "./executable.ts"

type App = Awaited<ReturnType<typeof createApp>>

/** The key that signs the tokens of every test server. */
export const secret = "a secret for tests alone, 32 bytes and more"

/** The clock of a new server stands here until it is moved. */
export const startOfTests = "2026-01-05T09:00:00.000"

export interface TestServerOptions {
  /** As text, by "section.key". */
  readonly settings?: Flags
  /** Puts something in the place of a part, for what a sound part never does. */
  readonly replace?: (app: App) => Partial<App>
}

/** Somebody with an account, calling with an access token unless `client` says otherwise. */
export interface Person extends Client {
  readonly name: string
  readonly username: string
  readonly email: string
  readonly password: string
  readonly accessToken: string
  readonly refreshToken: string
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/**
 * The whole server in this process: a real socket, a new database in a folder of its own, cheap password hashes, a
 * clock that only the test moves. `await using server = await startTestServer()` ends it with the test.
 */
export async function startTestServer({ settings = {}, replace = () => ({}) }: TestServerOptions = {}) {
  const folder = await temporaryFolder()
  const clock = createTestClock()
  const mails: Message[] = []
  let logged = ""

  const config = loadConfig({
    cwd: folder.path,
    configPath: null,
    env: {},
    flags: {
      "server.port": "0",
      "db.path": `${folder.path}/rewards.db`,
      "security.secret_key": secret,
      "security.bcrypt_cost": "4",
      ...settings,
    },
    underTest: true,
    needsSecret: true,
  })
  const log = createLog((text) => {
    logged += text
  })
  const mailer = { send: async (message: Message) => void mails.push(message) }
  const sound = await createApp(config, { clock: clock.now, log, mailer })
  const app = { ...sound, ...replace(sound) }
  const server = startServer(app)
  app.address.url = server.url
  await app.hub.start()
  app.worker.start()
  const anybody = createClient(server.url)

  /** Logs in and calls with the access token from then on. */
  async function withToken({ username, password }: { username: string; password: string }) {
    const { body, status } = await anybody.submit<Tokens>("/token", { username, password })
    if (status !== 200) throw new Error(`${username} could not log in: ${status}`)
    const { access_token: accessToken, refresh_token: refreshToken } = body
    return { ...createClient(server.url, bearer(accessToken)), accessToken, refreshToken }
  }

  return {
    url: server.url,
    app,
    clock,
    /** A caller without credentials. */
    anybody,
    /** Whoever logs in with this name and password, with an access token. */
    as: withToken,

    /** Creates a user of this name, of department `sales` unless told otherwise, and logs in. */
    async person(name: string, { dept = "sales" }: { dept?: string } = {}): Promise<Person> {
      const email = `${name.toLowerCase()}@example.com`
      const password = `the password of ${name}`
      const { username } = await app.users.create("operator", { name, email, password, dept })
      return { name, username, email, password, ...(await withToken({ username, password })) }
    },

    async admin(): Promise<Person> {
      const who = { name: "Admin", username: adminUsername, email: "admin@localhost", password: "admin" }
      return { ...who, ...(await withToken(who)) }
    },

    /** Logs in with a session cookie and calls with it from then on. */
    async withSession({ username, password }: Pick<Person, "username" | "password">) {
      const { headers } = await anybody.submit("/login", { username, password })
      const sessionId = /^session_id=([0-9a-f]{32});/.exec(headers?.["set-cookie"] ?? "")?.[1] ?? ""
      return { ...createClient(server.url, { cookie: `session_id=${sessionId}` }), sessionId }
    },

    /** Sends points from admin, past HTTP. */
    async grant({ username }: Pick<Person, "username">, value: number) {
      const [sender, receiver] = await Promise.all([adminUsername, username].map(sound.access.toUser))
      if (sender && receiver) await sound.ledger.sendPoints({ sender, receiver, value })
    },

    mails,
    /** Moves the clock to where the mail is due and returns the token of the newest one. */
    async resetToken({ email }: Pick<Person, "email">): Promise<string> {
      const expected = mails.length + 1
      await anybody.post("/user/pwd_reset_token/", { email })
      clock.advance(config.email.debug_delay_seconds * 1000)
      app.worker.wake()
      while (mails.length < expected) await Bun.sleep(1)
      return /pwd_reset_token=(\S+)/.exec(mails.at(-1)?.text ?? "")?.[1] ?? ""
    },

    /** What was logged so far: the text, line by line. */
    logged(): string[] {
      log.flush()
      return logged.split("\n").slice(0, -1)
    },
    /** Raw bytes over a connection of their own. */
    exchange: (bytes: string | Uint8Array) => exchange(server.url, bytes),

    async [Symbol.asyncDispose]() {
      app.hub.stop()
      server.kill()
      await app.worker.stop(0)
      await app.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
