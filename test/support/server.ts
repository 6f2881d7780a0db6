import { adminUsername } from "../../src/domain/people/users.ts"
import { startServer } from "../../src/http/server.ts"
import { type NewPerson, openTestApp, passwordOf, type TestAppOptions } from "./app.ts"
import { type Client, createClient, exchange } from "./client.ts"

/** Somebody with an account, calling with an access token. */
export interface Person extends Client, Login {
  readonly name: string
  readonly email: string
  readonly accessToken: string
  readonly refreshToken: string
}

interface Login {
  readonly username: string
  readonly password: string
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/**
 * The whole server in this process, on a real socket, with the parts of `openTestApp`.
 * `await using server = await startTestServer()` ends it with the test.
 */
export async function startTestServer(options: TestAppOptions = {}) {
  const opened = await openTestApp(options)
  const { app, clock, mails } = opened
  const server = startServer(app)
  if (app.config.server.base_url === null) app.address.url = server.url
  await Promise.all([app.hub.start(), app.feedHub.start()])
  app.worker.start()
  const anybody = createClient(server.url)

  /** Logs in and calls with the access token from then on. */
  async function as({ username, password }: Login) {
    const { body, status } = await anybody.submit<Tokens>("/token", { username, password })
    if (status !== 200) throw new Error(`${username} could not log in: ${status}`)
    const { access_token: accessToken, refresh_token: refreshToken } = body
    return { ...createClient(server.url, bearer(accessToken)), accessToken, refreshToken }
  }

  return {
    url: server.url,
    app,
    clock,
    mails,
    logged: opened.logged,
    /** A caller without credentials. */
    anybody,
    as,

    /** Creates a user of this name, of department `sales` unless told otherwise, and logs in. */
    async person(name: string, more?: NewPerson): Promise<Person> {
      const { username, email } = await opened.create(name, more)
      const login = { username, password: passwordOf(name) }
      return { name, email, ...login, ...(await as(login)) }
    },

    async admin(): Promise<Person> {
      const login = { username: adminUsername, password: "admin" }
      return { name: "Admin", email: "admin@localhost", ...login, ...(await as(login)) }
    },

    /** Logs in with a session cookie and calls with it from then on. */
    async withSession({ username, password }: Login) {
      const { headers } = await anybody.submit("/login", { username, password })
      const sessionId = /^session_id=([0-9a-f]{32});/.exec(headers?.["set-cookie"] ?? "")?.[1] ?? ""
      return { ...createClient(server.url, { cookie: `session_id=${sessionId}` }), sessionId }
    },

    /** Sends points from admin, past HTTP. */
    async grant({ username }: Pick<Person, "username">, value: number) {
      const [sender, receiver] = await Promise.all([adminUsername, username].map(app.access.toUser))
      if (sender && receiver) await app.ledger.sendPoints({ sender, receiver, value })
    },

    /** Asks for a reset mail, moves the clock to where it is due, and returns its token. */
    async resetToken({ email }: Pick<Person, "email">): Promise<string> {
      const expected = mails.length + 1
      await anybody.post("/user/pwd_reset_token/", { email })
      clock.advance(app.config.email.debug_delay_seconds * 1000)
      app.worker.wake()
      while (mails.length < expected) await Bun.sleep(1)
      return /pwd_reset_token=(\S+)/.exec(mails.at(-1)?.text ?? "")?.[1] ?? ""
    },

    /** Raw bytes over a connection of their own. */
    exchange: (bytes: string | Uint8Array, later?: Promise<string>) => exchange(server.url, bytes, later),

    async [Symbol.asyncDispose]() {
      app.hub.stop()
      app.feedHub.stop()
      server.kill()
      await app.worker.stop(0)
      await opened[Symbol.asyncDispose]()
    },
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
