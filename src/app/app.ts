import { listeningUrl } from "../config/rules.ts"
import { defaultAdminPassword, type SecretlessConfig } from "../config/settings.ts"
import { createAllowances } from "../domain/allowances/allowances.ts"
import { createAuditLog } from "../domain/audit/audit-log.ts"
import { createAccess } from "../domain/auth/access.ts"
import { createApiTokens } from "../domain/auth/api-tokens.ts"
import { createHashing } from "../domain/auth/hashing.ts"
import { createLogins } from "../domain/auth/logins.ts"
import { createInitialPassword, createPasswords } from "../domain/auth/passwords.ts"
import { createRateLimiter } from "../domain/auth/rate-limiter.ts"
import { createSecondFactors } from "../domain/auth/second-factors.ts"
import { createSessions } from "../domain/auth/sessions.ts"
import { createSingleSignOn } from "../domain/auth/single-sign-on.ts"
import { createLoginSources } from "../domain/auth/sources.ts"
import { createTokens } from "../domain/auth/tokens.ts"
import { createCalendar } from "../domain/calendar.ts"
import type { Clock } from "../domain/clock.ts"
import { createMakeOnce } from "../domain/idempotency/idempotency.ts"
import { createMailJobs } from "../domain/jobs/jobs.ts"
import { createGrants } from "../domain/ledger/grants.ts"
import { createLedger, createTransferLimit } from "../domain/ledger/ledger.ts"
import { createReversals } from "../domain/ledger/reversals.ts"
import { createThanks } from "../domain/ledger/thanks.ts"
import { createTransactionList } from "../domain/ledger/transaction-list.ts"
import { createDepartments } from "../domain/people/departments.ts"
import { createExports } from "../domain/people/exports.ts"
import { createImports } from "../domain/people/imports.ts"
import { createLeavers } from "../domain/people/leavers.ts"
import { createPeopleSearch } from "../domain/people/people-search.ts"
import { createProvisioning } from "../domain/people/provisioning.ts"
import { createSuggestions } from "../domain/people/suggestions.ts"
import { createUsers } from "../domain/people/users.ts"
import { createFeed } from "../domain/recognition/feed.ts"
import { createInsights } from "../domain/recognition/insights.ts"
import { createMailContents, createMailDispatch } from "../domain/recognition/mail.ts"
import { createNotifications } from "../domain/recognition/notifications.ts"
import { createResponses } from "../domain/recognition/responses.ts"
import { createStatistics } from "../domain/recognition/statistics.ts"
import { createWall } from "../domain/recognition/wall.ts"
import { createCatalogue } from "../domain/rewards/catalogue.ts"
import { createRedemptions } from "../domain/rewards/redemptions.ts"
import { createEvents } from "../domain/webhooks/events.ts"
import { createWebhooks } from "../domain/webhooks/webhooks.ts"
import { createFlows } from "../integrations/oidc/flow.ts"
import { createSlack } from "../integrations/slack/slack.ts"
import { createWebhookSending } from "../integrations/webhooks/webhooks.ts"
import type { Resolve } from "../net/outbound.ts"
import { isCommonPassword } from "../security/common-passwords.ts"
import { createTokenCodec } from "../security/jwt.ts"
import { createOneTimeCodes, createPasskeys } from "../security/second-factor.ts"
import { createSealedSecrets, createUnsubscribeTokens } from "../security/secrets.ts"
import { openStore } from "../storage/open.ts"
import type { OpenStore, StoreOptions } from "../storage/open-store.ts"
import { createLog, type Log } from "../support/log.ts"
import { rootCodeOf } from "../support/system-errors.ts"

export interface AppOptions extends Omit<StoreOptions, "db"> {
  /** Called before `admin` is created, once in the life of a database. If it throws, the app does not open. */
  readonly beforeFirstUse?: () => Promise<void>
  /** Called after this process enqueued a job. */
  readonly onEnqueue?: () => void
  /** Resolves host names for webhooks and Slack; absent: the system's resolver. */
  readonly resolve?: Resolve | undefined
}

export type App = Awaited<ReturnType<typeof createApp>>

/**
 * Opens the database, migrates it, creates `admin` if needed, and wires the store to the rules. All commands of the
 * command line use this app; `createServerApp` adds the parts that only a server needs. Nothing runs in the background but what the
 * store does for itself, such as checkpoints.
 * @throws DatabaseUnusable with the cure
 */
export async function createApp(config: SecretlessConfig, options: AppOptions = {}) {
  const { clock = Date.now, log = createLog(), beforeFirstUse = async () => {}, onEnqueue = () => {} } = options
  const store = await openStore({ ...options, db: config.db, timeZone: config.service.time_zone, clock, log })
  try {
    return await wire({ config, clock, log, beforeFirstUse, onEnqueue, store, resolve: options.resolve })
  } catch (error) {
    await store.close()
    throw error
  }
}

interface Parts {
  readonly config: SecretlessConfig
  readonly clock: Clock
  readonly log: Log
  readonly beforeFirstUse: () => Promise<void>
  readonly onEnqueue: () => void
  readonly store: OpenStore
  readonly resolve: Resolve | undefined
}

async function wire({ config, clock, log, beforeFirstUse, onEnqueue, store, resolve }: Parts) {
  const { security, service, session, login, oidc, email, jobs, stream, limits, server } = config

  const calendar = createCalendar(service.time_zone)
  const secret = security.secret_key ?? crypto.randomUUID() // only commands that sign no token have none
  const hashing = createHashing(security.bcrypt_cost)
  const rateLimiter = createRateLimiter({ store, clock, secret })
  const mailJobs = createMailJobs({
    clock,
    maxAttempts: jobs.max_attempts,
    delayMs: email.debug_mode ? email.debug_delay_seconds * 1000 : 0,
    wake: onEnqueue,
  })
  const passwords = createPasswords({
    store,
    hashing,
    rateLimiter,
    clock,
    minLength: security.password_min_length,
    isCommon: server.profile === "production" ? isCommonPassword : null,
    mailJobs,
    resetLifetimeMs: security.reset_token_expire_minutes * 60_000,
    maxMails: limits.reset_mails,
    onHeldBack: (address) =>
      log.warn("a password-reset mail was not sent: too many to this person or from this address", { address }),
  })
  /** Where users reach this server. `serve` updates it once the port is known. */
  const address = { url: server.base_url ?? listeningUrl(server, server.port) }
  const makeOnce = createMakeOnce({ store, clock, secrets: createSealedSecrets(secret, "idempotency keys") })
  const imports = createImports({ store, clock, makeOnce, unusableHash: hashing.unusableHash, mailJobs, address })
  const users = createUsers({ store, clock, hashing, checkNewPassword: passwords.check, address })
  const leavers = createLeavers({ store, clock, unusableHash: hashing.unusableHash })
  const provisioning = createProvisioning({ store, users, leavers })
  const transferLimit = createTransferLimit(limits.transfers_per_minute)
  const ledger = createLedger({ store, clock, transferLimit, tags: config.recognition.tags })
  const people = createPeopleSearch({ store })
  const departments = createDepartments({ store, clock })
  const initialPasswordOf = createInitialPassword({
    hashing,
    initial: { default: defaultAdminPassword, configured: security.admin_password },
  })
  const feed = createFeed({ store, shows: config.recognition.feed, streamAccess: stream.access })
  const responses = createResponses({ store, feed, rateLimiter, clock, makeOnce })
  const notifications = createNotifications({ store })
  const statistics = createStatistics({ store, clock, calendar, seesTotals: feed.seesTotals })
  const wall = createWall({ store, statistics, shows: config.recognition.feed })
  const catalogue = createCatalogue({ store, clock, makeOnce })
  const redemptions = createRedemptions({ store, clock, makeOnce, transferLimit, mailJobs })
  const reversals = createReversals({ store, clock })
  const transactionList = createTransactionList({ store, calendar })
  const allowances = createAllowances({ store, clock, calendar, makeOnce })
  const thanks = createThanks({ store, clock, transferLimit, tags: config.recognition.tags })
  const grants = createGrants({ store, clock, transferLimit, tags: config.recognition.tags })

  const tokens = createTokens({
    store,
    codec: createTokenCodec(secret, clock),
    clock,
    lifetimeMinutes: {
      access_token: security.access_token_expire_minutes,
      refresh_token: security.refresh_token_expire_minutes,
      pwd_reset: security.reset_token_expire_minutes,
    },
  })
  const secondFactors = createSecondFactors({
    store,
    tokens,
    passkeys: createPasskeys({ address, serviceName: service.name }),
    codes: createOneTimeCodes({ secret, serviceName: service.name }),
    clock,
    required: login.second_factor,
    passwordLogin: login.password,
    mailJobs,
  })
  const sessions = createSessions({ store, clock, expireSeconds: session.expire_seconds })
  const auditLog = createAuditLog({
    store,
    clock,
    keepDays: config.audit.keep_days,
    onFailure: (error, waiting) =>
      log.error("the audit log cannot be written; retrying", { error: rootCodeOf(error), waiting }),
  })
  const loginSources = createLoginSources({ store, clock })
  const logins = createLogins({
    store,
    hashing,
    rateLimiter,
    maxFailures: limits.login_failures,
    passwordLogin: login.password,
    loginSources,
    auditLog,
    secondFactors,
  })
  const singleSignOn = createSingleSignOn({
    store,
    users,
    clock,
    rateLimiter,
    loginSources,
    auditLog,
    maxFailures: limits.login_failures,
    provisions: oidc.provision,
    defaultDept: oidc.default_department,
  })
  const exports = createExports({ store, clock, calendar, auditLog })
  const insights = createInsights({ store, clock, calendar, auditLog })
  const mailContents = createMailContents({ store, insights })
  const mailDispatch = createMailDispatch({ store, clock, calendar, mailJobs })
  const apiTokens = createApiTokens({ store, clock, makeOnce, calendar })
  const access = createAccess({
    store,
    tokens,
    sessions,
    apiTokens,
    secondFactors,
    stream,
    passwordLogin: login.password,
  })
  const events = createEvents({ store, clock, keepDays: config.webhooks.keep_days })
  const {
    sender: webhookSender,
    outbound,
    seal,
    refusalOf,
  } = createWebhookSending({ config, clock, secret, address, resolve })
  const webhooks = createWebhooks({ store, clock, makeOnce, seal, refusalOf, sender: webhookSender })
  const slack = createSlack({
    settings: config.slack,
    outbound,
    store,
    ledger,
    tags: config.recognition.tags,
    language: service.language,
    clock,
    log,
    maxAttempts: jobs.max_attempts,
    onEnqueue,
  })

  await users.ensureAdmin({ password: security.admin_password, email: security.admin_email }, beforeFirstUse)
  return {
    config,
    clock,
    calendar,
    log,
    store,
    users,
    leavers,
    provisioning,
    people,
    departments,
    suggestions: createSuggestions({ store, clock }),
    statistics,
    wall,
    insights,
    mailContents,
    mailDispatch,
    events,
    webhooks,
    webhookSender,
    slack,
    outbound,
    unsubscribeTokens: createUnsubscribeTokens(secret),
    initialPasswordOf,
    imports,
    exports,
    ledger,
    feed,
    responses,
    notifications,
    thanks,
    grants,
    allowances,
    reversals,
    transactionList,
    catalogue,
    redemptions,
    passwords,
    logins,
    singleSignOn,
    flows: createFlows({ secret, clock }),
    auditLog,
    sessions,
    secondFactors,
    tokens,
    apiTokens,
    access,
    address,
    /** Refreshes the indexes of this process, and writes what waits in its memory. A worker runs these about once a minute. */
    housekeeping: [store.people.refresh, statistics.refresh, auditLog.sweep, loginSources.sweep, apiTokens.sweep],
    /** Deletes what has expired, about once a minute too. Of several servers on PostgreSQL, one does it for all. */
    pruning: [
      store.sessions.prune,
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
      return Promise.all([loginSources.close(), apiTokens.close(), auditLog.close()]).then(store.close)
    },
  }
}
