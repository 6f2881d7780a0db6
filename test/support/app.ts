import { createServerApp, type ServerApp } from "../../src/app/server-app.ts"
import { loadConfig } from "../../src/config/load.ts"
import type { Flags } from "../../src/config/sources.ts"
import type { Actor } from "../../src/domain/people/roles.ts"
import type { Mailer, Message } from "../../src/integrations/mail/mailer.ts"
import type { Resolve } from "../../src/net/resolver.ts"
import { createLog } from "../../src/support/log.ts"
import { createTestClock } from "./clock.ts"
import { databaseIn, databaseSetting } from "./database.ts"
import { secret, temporaryFolder } from "./executable.ts"
import { migratedFile } from "./migrated-file.ts"

/** The operator of the command line in tests. */
export const operator: Actor & { readonly who: string } = {
  user: null,
  who: "olga",
  way: "command line",
  address: null,
}

/** The initial time of the test clock. */
export const startOfTests = "2026-01-05T09:00:00.000"

export interface TestAppOptions {
  /** Settings as text, by "section.key". */
  readonly settings?: Flags
  /** The addresses of host names that webhooks use. */
  readonly resolve?: Resolve
  /** The initial time of the test clock, in milliseconds since the epoch. Default: `startOfTests`. */
  readonly startsAt?: number
  /** Uses the database and the clock of another app, as a second process would. */
  readonly beside?: { readonly folder: string; readonly clock: ReturnType<typeof createTestClock> }
  /** Sends the mail; absent: it is kept in memory. */
  readonly mailer?: Mailer
  /** Replaces parts of the app, for behaviour that the real ones never show. */
  readonly replace?: (app: ServerApp) => Partial<ServerApp>
}

export interface NewPerson {
  readonly dept?: string
  readonly email?: string
}

export type TestApp = Awaited<ReturnType<typeof openTestApp>>

/**
 * The whole application without HTTP: a new database in a temporary folder, cheap password hashes, a clock that only the
 * test moves, mail and log in memory. `await using app = await openTestApp()` closes it at the end of the test.
 */
export async function openTestApp(options: TestAppOptions = {}) {
  const { settings = {}, replace = () => ({}), resolve, startsAt, beside } = options
  const own = beside === undefined ? await temporaryFolder() : null
  const folder = beside?.folder ?? own?.path ?? ""
  const clock = beside?.clock ?? createTestClock(startsAt)
  const mails: Message[] = []
  let logged = ""
  const database = await databaseIn(folder)
  if (database.url === null && beside === undefined) await migratedFile(database.path)

  const config = loadConfig({
    cwd: folder,
    configPath: null,
    env: {},
    flags: {
      "server.port": "0",
      ...databaseSetting(database),
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
  const mailer = options.mailer ?? { send: async (message: Message) => void mails.push(message) }
  const sound = await createServerApp(config, { clock: clock.now, log, mailer, resolve })

  return {
    app: { ...sound, ...replace(sound) },
    clock,
    mails,
    folder,
    /** Creates a user, in department `sales` by default, with the password `the password of NAME`. */
    create: (name: string, { dept = "sales", email = `${name.toLowerCase()}@example.com` }: NewPerson = {}) =>
      sound.users.create(operator, {
        name,
        dept,
        email,
        password: passwordOf(name),
      }),
    /** The log so far, line by line. */
    logged(): string[] {
      log.flush()
      return logged.split("\n").slice(0, -1)
    },
    async [Symbol.asyncDispose]() {
      await sound.close()
      await own?.[Symbol.asyncDispose]()
    },
  }
}

export const passwordOf = (name: string) => `the password of ${name}`
