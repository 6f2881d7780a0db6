import { existsSync } from "node:fs"
import { createServerApp, type ServerApp } from "../../src/app/server-app.ts"
import { errorsOnly } from "../../src/cli/support/app.ts"
import { loadConfig } from "../../src/config/load.ts"
import { maintenanceOf } from "../../src/storage/open.ts"
import { createLog } from "../../src/support/log.ts"
import { tags } from "./company.ts"
import { playYear, type Scale } from "./year.ts"

export interface DemoOptions {
  /** A file, or the URL of a PostgreSQL database. It must not exist, or be empty. */
  readonly database: string
  readonly scale: Scale
  /** The year ends at this moment. */
  readonly until: number
  /** A test run, which may hash passwords cheaply. */
  readonly underTest: boolean
  readonly onMonth?: (month: string) => void
}

/** The database is somebody's already. */
export class DatabaseExists extends Error {
  override readonly name = "DatabaseExists"
}

/**
 * Fills a new database with a year of a company, and checks it as `rewards verify` does.
 * @throws DatabaseExists
 */
export async function fillDemo({ database, scale, until, underTest, onMonth }: DemoOptions) {
  const isUrl = isDatabaseUrl(database)
  if (!isUrl && existsSync(database)) throw new DatabaseExists(`${database} exists already`)
  const { db, ...config } = loadConfig({
    cwd: ".",
    configPath: null,
    env: {},
    flags: {
      [isUrl ? "db.url" : "db.path"]: database,
      // The server replaces cheap hashes when people log in.
      "security.bcrypt_cost": underTest ? "4" : "10",
      "recognition.tags": tags.join(","),
      "limits.transfers_per_minute": "0",
      "email.debug_delay_seconds": "0",
    },
    underTest,
    needsSecret: false,
  })

  const clock = { ms: until }
  let isNew = false
  const beforeFirstUse = async () => {
    isNew = true
  }
  // Nobody of the company reads mail. What waits is handled as on a server, or the next one would send it.
  const mailer = { send: async () => {} }
  const app = await createServerApp(
    { db, ...config },
    { clock: () => clock.ms, beforeFirstUse, mailer, log: errorsOnly(createLog()) },
  )
  const sendMails = () => untilSent(app)
  try {
    if (!isNew) throw new DatabaseExists("the database has been used already")
    const moveTo = (ms: number) => {
      clock.ms = ms
    }
    app.worker.start()
    const played = await playYear(app, { scale, until, moveTo, sendMails, ...(onMonth && { onMonth }) })
    await app.worker.stop(stopPatienceMs)
    const balances = (await app.store.users.list()).map(({ balance }) => balance)
    await app.close()
    const { transactions, findings } = await (await maintenanceOf(db)).verify({ accepts: false })
    return { played, transactions, findings, sumOfBalances: balances.reduce((sum, balance) => sum + balance, 0) }
  } catch (error) {
    await app.worker.stop(0)
    await app.close()
    throw error
  }
}

const stopPatienceMs = 10_000

async function untilSent({ store, clock }: ServerApp) {
  for (let looks = 0; looks < 10_000; looks += 1) {
    const { available, running } = (await store.health.read(clock())).jobs
    if (available + running === 0) return
    await Bun.sleep(1)
  }
  throw new Error("mails are still waiting")
}

export const isDatabaseUrl = (database: string): boolean => /^postgres(ql)?:/.test(database)
