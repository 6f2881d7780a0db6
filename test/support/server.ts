import { adminUsername } from "../../src/domain/people/users.ts"
import { startServer } from "../../src/http/server.ts"
import { type NewPerson, openTestApp, passwordOf, type TestAppOptions } from "./app.ts"
import { type Client, createClient, exchange } from "./client.ts"
import { bearer, cookie, logIn, sessionIn } from "./credentials.ts"

/** A user with a client that sends the access token. */
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

export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/**
 * The whole server in this process, on a real socket, around the app of `openTestApp`.
 * `await using server = await startTestServer()` stops it at the end of the test.
 */
export async function startTestServer(options: TestAppOptions = {}) {
  const opened = await openTestApp(options)
  const { app, clock, mails } = opened
  const server = startServer(app)
  if (app.config.server.base_url === null) app.address.url = server.url
  await Promise.all([app.transactionHub.start(), app.feedHub.start()])
  app.worker.start()
  const anybody = createClient(server.url)

  /** Logs in and returns a client that sends the access token. */
  async function as({ username, password }: Login) {
    const tokens = await logIn(server.url, username, password)
    const { access_token: accessToken, refresh_token: refreshToken } = tokens
    return { ...createClient(server.url, bearer(accessToken)), accessToken, refreshToken }
  }

  return {
    url: server.url,
    app,
    clock,
    mails,
    folder: opened.folder,
    logged: opened.logged,
    /** A client without credentials. */
    anybody,
    as,

    /** Creates a user with this name, in department `sales` by default, and logs in. */
    async person(name: string, more?: NewPerson): Promise<Person> {
      const { username, email } = await opened.create(name, more)
      const login = { username, password: passwordOf(name) }
      return { name, email, ...login, ...(await as(login)) }
    },

    async admin(): Promise<Person> {
      const login = { username: adminUsername, password: "admin" }
      return { name: "Admin", email: "admin@localhost", ...login, ...(await as(login)) }
    },

    /** Logs in and returns a client that sends the session cookie. */
    async withSession({ username, password }: Login) {
      const sessionId = sessionIn(await anybody.submit("/login", { username, password }))
      return { ...createClient(server.url, cookie(sessionId)), sessionId }
    },

    /** Sends points from admin without HTTP. */
    async grant({ username }: Pick<Person, "username">, value: number) {
      const [sender, receiver] = await Promise.all([adminUsername, username].map((name) => app.access.toUser(name)))
      if (sender && receiver) await app.ledger.sendPoints({ sender, receiver, value })
    },

    /** Requests a reset mail, moves the clock to the time when it is due, and returns its token. */
    async resetToken({ email }: Pick<Person, "email">): Promise<string> {
      const expected = mails.length + 1
      await anybody.post("/user/pwd_reset_token/", { email })
      clock.advance(app.config.email.debug_delay_seconds * 1000)
      app.worker.wake()
      for (let waits = 0; mails.length < expected; waits += 1) {
        if (waits === 10_000) throw new Error(`no reset mail for ${email}`)
        await Bun.sleep(1)
      }
      return /pwd_reset_token=(\S+)/.exec(mails.at(-1)?.text ?? "")?.[1] ?? ""
    },

    /** Sends raw bytes over a new connection. */
    exchange: (bytes: string | Uint8Array, later?: Promise<string>) => exchange(server.url, bytes, later),

    async [Symbol.asyncDispose]() {
      app.transactionHub.stop()
      app.feedHub.stop()
      server.kill()
      await app.worker.stop(0)
      await opened[Symbol.asyncDispose]()
    },
  }
}
