import type { SecretlessConfig } from "../config/settings.ts"
import type { Resolve } from "../net/resolver.ts"
import { openStore } from "../storage/open.ts"
import type { StoreOptions } from "../storage/open-store.ts"
import { createLog } from "../support/log.ts"
import { wireAuth, wireSingleSignOn } from "./auth.ts"
import { wireIntegrations } from "./integrations.ts"
import { wireLedger } from "./ledger.ts"
import { wirePeople } from "./people.ts"
import { wireRecognition } from "./recognition.ts"
import { type Shared, wireShared } from "./shared.ts"

export interface AppOptions extends Omit<StoreOptions, "db"> {
  /** Called before `admin` is created, once in the life of a database. If it throws, the app does not open. */
  readonly beforeFirstUse?: () => Promise<void>
  /** Called after this process enqueued a job. */
  readonly onEnqueue?: () => void
  /** Resolves host names; absent: `resolveName`. */
  readonly resolve?: Resolve | undefined
}

export type App = Awaited<ReturnType<typeof createApp>>

/**
 * Opens the database, migrates it, creates `admin` if needed, and wires the store to the rules. All commands of the
 * command line use this app; `createServerApp` adds the parts that only a server needs. Nothing runs in the background
 * but what the store does for itself, such as checkpoints.
 * @throws DatabaseUnusable with the cure
 */
export async function createApp(config: SecretlessConfig, options: AppOptions = {}) {
  const { clock = Date.now, log = createLog(), beforeFirstUse = async () => {}, onEnqueue = () => {} } = options
  const store = await openStore({ ...options, db: config.db, timeZone: config.service.time_zone, clock, log })
  try {
    const app = wire(wireShared({ config, clock, log, store, onEnqueue }), options.resolve)
    const { admin_password, admin_email } = config.security
    await app.users.ensureAdmin({ password: admin_password, email: admin_email }, beforeFirstUse)
    return app
  } catch (error) {
    await store.close()
    throw error
  }
}

function wire(shared: Shared, resolve: Resolve | undefined) {
  const { config, clock, log, store, calendar, address, programme, auditLog, rateLimiter } = shared
  const auth = wireAuth(shared)
  const people = wirePeople(shared, auth)
  const singleSignOn = wireSingleSignOn(shared, auth, people)
  const ledger = wireLedger(shared)
  const recognition = wireRecognition(shared)
  const integrations = wireIntegrations(shared, ledger, resolve)

  const { loginSources, apiTokens, secondFactors } = auth
  const { statistics } = recognition
  const { events, webhooks, outbound, pushSending } = integrations
  return {
    config,
    clock,
    log,
    store,
    calendar,
    address,
    programme,
    auditLog,
    ...auth,
    ...people,
    ...singleSignOn,
    ...ledger,
    ...recognition,
    ...integrations,
    /** Refreshes the indexes of this process, and writes what waits in its memory. A worker runs these about once a minute. */
    housekeeping: [
      store.people.fillSearchKeys,
      statistics.refresh,
      auditLog.sweep,
      loginSources.sweep,
      apiTokens.sweep,
    ],
    /** Deletes what has expired, about once a minute too. Of several servers on PostgreSQL, one does it for all. */
    pruning: [
      store.sessions.prune,
      store.push.prune,
      store.users.pruneSpent,
      store.idempotency.prune,
      auditLog.prune,
      secondFactors.sweep,
      rateLimiter.sweep,
      events.sweep,
      webhooks.sweep,
    ],
    close: () => {
      outbound.close()
      pushSending.close()
      return Promise.all([loginSources.close(), apiTokens.close(), auditLog.close()]).then(store.close)
    },
  }
}
