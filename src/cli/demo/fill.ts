import { existsSync } from "node:fs"
import { createServerApp, type ServerApp } from "../../app/server-app.ts"
import { loadConfig } from "../../config/load.ts"
import { createLog } from "../../support/log.ts"
import { playYear, type Scale } from "./year.ts"

interface DemoOptions {
  /** A file, or the URL of a PostgreSQL database. It must not exist, or be empty. */
  readonly database: string
  readonly scale: Scale
  /** The year ends at this moment. */
  readonly until: number
  /** Stops the year before its end. */
  readonly signal?: AbortSignal
}

/** The database is somebody's already. */
export class DatabaseExists extends Error {
  override readonly name = "DatabaseExists"
}

/**
 * Fills a new database with a year of a company. Returns how much happened in it.
 * @throws DatabaseExists, and the reason of `signal`
 */
export async function fillDemo({ database, scale, until, signal }: DemoOptions) {
  const isUrl = /^postgres(ql)?:/.test(database)
  if (!isUrl && existsSync(database)) throw new DatabaseExists(`${database} exists already`)
  const config = loadConfig({
    cwd: ".",
    configPath: null,
    env: {},
    flags: {
      [isUrl ? "db.url" : "db.path"]: database,
      // Everybody knows these passwords. The server replaces cheap hashes when people log in.
      "security.bcrypt_cost": "4",
      "limits.transfers_per_minute": "0",
      "email.debug_delay_seconds": "0",
    },
    underTest: true, // allows that cost
    needsSecret: false,
  })

  const clock = { ms: until }
  let isNew = false
  const beforeFirstUse = async () => {
    isNew = true
  }
  // Nobody of the company reads mail. What waits is handled as on a server, or the next one would send it.
  const mailer = { send: async () => {} }
  const log = { ...createLog(), info() {}, warn() {} }
  const app = await createServerApp(config, { clock: () => clock.ms, beforeFirstUse, mailer, log })
  const sendMails = () => untilSent(app)
  const moveTo = (ms: number) => {
    signal?.throwIfAborted()
    clock.ms = ms
  }
  try {
    if (!isNew) throw new DatabaseExists("the database has been used already")
    app.worker.start()
    const played = await playYear(app, { scale, until, moveTo, sendMails })
    await app.worker.stop(stopPatienceMs)
    return played
  } catch (error) {
    await app.worker.stop(0)
    throw error
  } finally {
    await app.close()
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
