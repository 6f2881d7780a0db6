import { isCommonPassword } from "./common-passwords.ts"
import { initialPasswords, listeningUrl } from "./config/rules.ts"
import type { SecretlessConfig } from "./config/settings.ts"
import { createAuditLog } from "./domain/audit-log.ts"
import { createAccess } from "./domain/auth/access.ts"
import { createHashing } from "./domain/auth/hashing.ts"
import { createInitialPassword } from "./domain/auth/initial-password.ts"
import { createKnownSources } from "./domain/auth/known-sources.ts"
import { createLogins } from "./domain/auth/logins.ts"
import { createPasswords } from "./domain/auth/passwords.ts"
import { createSessions } from "./domain/auth/sessions.ts"
import { createTokens } from "./domain/auth/tokens.ts"
import { createGrants } from "./domain/ledger/grants.ts"
import { createLedger } from "./domain/ledger/ledger.ts"
import { createTransferLimit } from "./domain/ledger/transfer-limit.ts"
import type { Clock } from "./domain/model.ts"
import { createExports } from "./domain/people/exports.ts"
import { createImports } from "./domain/people/imports.ts"
import { createPeopleSearch } from "./domain/people/people-search.ts"
import { createUsers } from "./domain/people/users.ts"
import { createFeed } from "./domain/recognition/feed.ts"
import { createStatistics } from "./domain/recognition/statistics.ts"
import {
  backupIsInTime,
  createReadiness,
  databaseIsWritable,
  diskHasRoom,
  rootCodeOf,
  workerIsAlive,
} from "./health.ts"
import { mailHandlers } from "./jobs/mail-handlers.ts"
import { createWorker } from "./jobs/worker.ts"
import { createTokenCodec } from "./jwt.ts"
import { createLog, type Log } from "./log.ts"
import { configuredMailer } from "./mail/configured.ts"
import type { Mailer } from "./mail/mailer.ts"
import type { Histograms } from "./metrics/histograms.ts"
import { backUp } from "./storage/sqlite/maintenance/backup.ts"
import {
  createBackupFolder,
  createBackupSchedule,
  type Schedule,
} from "./storage/sqlite/maintenance/backup-schedule.ts"
import { openStore, type SqliteStore } from "./storage/sqlite/store.ts"
import { createHubs } from "./stream/hubs.ts"

/** What a test, or the process around it, puts in the place of the real thing. */
export interface Overrides {
  readonly clock?: Clock
  readonly log?: Log
  readonly mailer?: Mailer
  /** Hears each step of a migration of an existing database; the log does when absent. */
  readonly onMigrating?: (text: string) => void
  /** What is on disk is unknown, or the files of the database are gone: the process must end. */
  readonly onUnusable?: (error: unknown) => void
  /** Megabytes up to which the database is verified before it is served; absent or 0: never. */
  readonly verifyMb?: number
  /** A process beside this one, where requests must not wait for a backup. */
  readonly backUp?: Schedule["backUp"]
}

export type App = Awaited<ReturnType<typeof createApp>>

/**
 * Everything, wired once; HTTP and the command line stand on it. The database is opened and brought up to date, and
 * `admin` exists; nothing runs yet. `close` lets go of the database.
 * @throws DatabaseUnusable with the cure
 */
export async function createApp(config: SecretlessConfig, overrides: Overrides = {}) {
  const { clock = Date.now, log = createLog(), onMigrating, onUnusable } = overrides
  const { path } = config.db
  // Imported only where metrics are on: the library costs time at every start.
  const histograms =
    config.metrics.listen === null ? null : (await import("./metrics/histograms.ts")).createHistograms()
  const store = await openStore({
    path,
    clock,
    log,
    onCommit: histograms?.commit,
    verifyMb: overrides.verifyMb,
    ...(onMigrating && { onMigrating }),
    ...(onUnusable && { onUnusable }),
  })
  try {
    return await wire({ config, overrides, clock, log, histograms, store })
  } catch (error) {
    await store.close()
    throw error
  }
}

interface Parts {
  readonly config: SecretlessConfig
  readonly overrides: Overrides
  readonly clock: Clock
  readonly log: Log
  readonly histograms: Histograms | null
  readonly store: SqliteStore
}

async function wire({ config, overrides, clock, log, histograms, store }: Parts) {
  const { security, session, email, jobs, stream, limits, server, backup } = config
  const { path } = config.db
  const mailer = overrides.mailer ?? configuredMailer(config)

  const hashing = createHashing(security.bcrypt_cost)
  const passwords = createPasswords({
    store,
    hashing,
    clock,
    minLength: security.password_min_length,
    isCommon: server.profile === "production" ? isCommonPassword : null,
    mailDelayMs: email.debug_mode ? email.debug_delay_seconds * 1000 : 0,
    maxAttempts: jobs.max_attempts,
    resetLifetimeMs: security.reset_token_expire_minutes * 60_000,
    maxMails: limits.reset_mails,
    onEnqueue: () => worker.wake(),
    onHeldBack: (address) => log.warn("a reset mail is held back: too many were asked for", { address }),
  })
  /** Where people reach this server; known for good once it listens. */
  const address = { url: server.base_url ?? listeningUrl(server, server.port) }
  const imports = createImports({ store, clock, noPassword: hashing.nobodys, passwords, address })
  const users = createUsers({ store, clock, hashing, checkNewPassword: passwords.check, address })
  const limit = createTransferLimit({ clock, perMinute: limits.transfers_per_minute })
  const ledger = createLedger({ store, clock, limit, tags: config.recognition.tags })
  const people = createPeopleSearch({ store })
  const hasInitialPassword = createInitialPassword({ hashing, initial: initialPasswords(security) })
  const feed = createFeed({ store, shows: config.recognition.feed, streamAccess: stream.access })
  const statistics = createStatistics({ store, clock, seesTotals: feed.seesTotals })
  const grants = createGrants({ store, clock, limit, tags: config.recognition.tags })

  const tokens = createTokens({
    store,
    codec: createTokenCodec(security.secret_key ?? crypto.randomUUID(), clock), // commands that sign nothing need no key
    clock,
    lifetimeMinutes: {
      access_token: security.access_token_expire_minutes,
      refresh_token: security.refresh_token_expire_minutes,
      pwd_reset: security.reset_token_expire_minutes,
    },
  })
  const sessions = createSessions({ store, clock, expireSeconds: session.expire_seconds })
  const auditLog = createAuditLog({
    store,
    clock,
    keepDays: config.audit.keep_days,
    onFailure: (error, waiting) =>
      log.error("the audit log cannot be written; it is tried again", { error: rootCodeOf(error), waiting }),
  })
  const known = createKnownSources({ store, clock })
  const logins = createLogins({ store, hashing, clock, maxFailures: limits.login_failures, known, auditLog })
  const exports = createExports({ store, clock, auditLog })
  const access = createAccess({ store, tokens, sessions, wallKey: stream.wall_key })

  const worker = createWorker({
    jobs: store.jobs,
    handlers: mailHandlers({ config, mailer, store, tokens, address }),
    clock,
    log,
    leaseMs: jobs.lease_seconds * 1000,
    resultTtlMs: jobs.result_ttl_seconds * 1000,
    housekeeping: [
      store.people.refresh,
      statistics.keep,
      store.sessions.prune,
      store.users.pruneSpent,
      store.ledger.pruneKeys,
      auditLog.sweep,
      known.sweep,
    ],
  })
  const hubs = createHubs({ store, clock, pollMs: stream.poll_interval_seconds * 1000, log })
  const backups = createBackupSchedule({
    everyMs: backup.every_hours * 3_600_000,
    keep: backup.keep,
    folder: createBackupFolder({ path, dir: backup.dir }),
    backUp: overrides.backUp ?? (async (file) => void (await backUp({ path, file, now: clock() }))),
    clock,
    log,
  })

  const readiness = createReadiness(
    {
      database: databaseIsWritable(store.health),
      worker: workerIsAlive(worker.lookedAt, clock),
      disk: diskHasRoom({ path, floorMb: config.health.disk_floor_mb }),
      backup: backupIsInTime(backups.state, clock),
    },
    clock,
  )
  const metrics =
    histograms &&
    (await import("./metrics/metrics.ts")).createMetrics({
      histograms,
      health: store.health,
      clock,
      stream: hubs.read,
      checks: readiness,
      backups: backups.state,
    })

  await users.ensureAdmin(security.admin_password)
  return {
    config,
    clock,
    log,
    store,
    users,
    people,
    statistics,
    hasInitialPassword,
    imports,
    exports,
    ledger,
    feed,
    grants,
    passwords,
    logins,
    auditLog,
    sessions,
    tokens,
    access,
    address,
    worker,
    hub: hubs.hub,
    feedHub: hubs.feedHub,
    backups,
    readiness,
    metrics,
    close: () => Promise.all([known.close(), auditLog.close()]).then(store.close),
  }
}
