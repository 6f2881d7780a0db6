import { type Logo, readLogo } from "../config/logo.ts"
import type { SecretlessConfig } from "../config/settings.ts"
import { mailHandlers } from "../integrations/mail/handlers.ts"
import { createDebugFileMailer, type Mailer } from "../integrations/mail/mailer.ts"
import { createSmtpMailer, smtpSettingsOf } from "../integrations/mail/smtp.ts"
import { createProvider, providerSettingsOf } from "../integrations/oidc/provider.ts"
import { createOffSiteSchedule } from "../integrations/s3/schedule.ts"
import { createDeliverer } from "../integrations/webhooks/deliverer.ts"
import { createRepeatedWork } from "../jobs/repeated-work.ts"
import { createWorker } from "../jobs/worker.ts"
import {
  backupIsInTime,
  createReadiness,
  databaseIsWritable,
  diskHasRoom,
  mailIsAccepted,
  workerIsAlive,
} from "../metrics/health.ts"
import type { Histograms } from "../metrics/histograms.ts"
import type { Resolve } from "../net/resolver.ts"
import type { BackupPlan, BackupSchedule } from "../storage/open-store.ts"
import { createHubs } from "../stream/hub.ts"
import { type App, type AppOptions, createApp } from "./app.ts"

export interface ServerOptions extends Omit<AppOptions, "onCommit" | "onEnqueue"> {
  readonly mailer?: Mailer
  /** Makes a scheduled backup. `serve` runs it in a separate process, so that requests do not wait for it. */
  readonly backUp?: BackupPlan["backUp"]
  /** Copies a backup to the bucket of backup.s3_bucket, also in a separate process. Absent: nothing is copied. */
  readonly uploadBackup?: (file: string, signal: AbortSignal) => Promise<void>
}

/** The app, with the parts that only a server needs. */
export type ServerApp = Awaited<ReturnType<typeof createServerApp>>

/**
 * Creates the app, and with it the job worker, streams, scheduled backups, readiness and metrics: wired but not
 * started.
 * @throws DatabaseUnusable with the cure, UnusableFile for the logo
 */
export async function createServerApp(config: SecretlessConfig, options: ServerOptions = {}) {
  const logo = readLogo(config.service.logo) // before the database, so that a refusal leaves no file behind
  // Imported only if metrics are on, because the library slows down every start.
  const histograms =
    config.metrics.listen === null ? null : (await import("../metrics/histograms.ts")).createHistograms()
  const app = await createApp(config, {
    ...options,
    onCommit: histograms?.commit,
    onEnqueue: () => worker.wake(),
  })
  const worker = createJobWorker(app, logo, options.mailer ?? createMailer(config, options.resolve))
  try {
    const isFirst = await app.programme.begin()
    if (!isFirst && config.recognition.tags.length > 0)
      app.log.warn(
        "recognition.tags is ignored: the programme has the tags; change them in the app or with `rewards programme`",
      )
    const settings = providerSettingsOf(config)
    const provider = settings && createProvider(settings, app.clock, { resolve: options.resolve })
    return { ...app, logo, worker, provider, ...(await serverParts(app, worker, histograms, options)) }
  } catch (error) {
    await app.close()
    throw error
  }
}

function createMailer(config: SecretlessConfig, resolve: Resolve | undefined): Mailer {
  const smtp = smtpSettingsOf(config, resolve)
  return smtp === null ? createDebugFileMailer({ path: config.email.debug_file }) : createSmtpMailer(smtp, resolve)
}

function createJobWorker(app: App, logo: Logo | null, mailer: Mailer) {
  const {
    config,
    store,
    tokens,
    programme,
    mailContents,
    unsubscribeTokens,
    address,
    clock,
    log,
    housekeeping,
    pruning,
  } = app
  return createWorker({
    jobs: store.jobs,
    handlers: {
      ...mailHandlers({ config, logo, mailer, store, tokens, programme, unsubscribeTokens, mailContents, address }),
      ...app.pushSending.handlers,
      ...app.slack?.handlers,
      ...app.mattermost?.handlers,
    },
    clock,
    log,
    leaseMs: config.jobs.lease_seconds * 1000,
    resultTtlMs: config.jobs.result_ttl_seconds * 1000,
    housekeeping,
    pruning,
    // Looking into a file costs less than a lease, which is a write.
    schedule: store.file === null ? store.schedule : null,
  })
}

async function serverParts(
  {
    config,
    store,
    programme,
    clock,
    log,
    allowances,
    occasions,
    apiTokens,
    mailDispatch,
    pushDispatch,
    events,
    webhookSender,
    singleSignOn,
  }: App,
  worker: ReturnType<typeof createWorker>,
  histograms: Histograms | null,
  { backUp, uploadBackup }: Pick<ServerOptions, "backUp" | "uploadBackup">,
) {
  const { stream, backup, health } = config
  const hubs = createHubs({
    store,
    programme: programme.current,
    clock,
    pollMs: stream.poll_interval_seconds * 1000,
    log,
  })
  const { keep, dir } = backup
  const everyMs = backup.every_hours * 3_600_000
  const backups = store.file?.scheduleBackups({ keep, dir, everyMs, backUp, clock, log }) ?? noBackups
  const offSite =
    store.file && backup.s3_bucket !== null && uploadBackup !== undefined
      ? createOffSiteSchedule({
          everyMs,
          newest: backups.newest,
          upload: uploadBackup,
          schedule: store.schedule,
          clock,
          log,
        })
      : null
  const readiness = createReadiness(
    {
      database: databaseIsWritable(store.health),
      worker: workerIsAlive(worker.lookedAt),
      mail: mailIsAccepted(store.jobs),
      ...(store.file && {
        disk: diskHasRoom(store.file.freeBytes, health.disk_floor_mb),
        backup: backupIsInTime(backups.state, clock),
        ...(offSite && { off_site: backupIsInTime(offSite.state, clock) }),
      }),
    },
    clock,
  )
  const deliverer = createDeliverer({ store, events, sender: webhookSender, clock, log })
  const metrics =
    histograms &&
    (await import("../metrics/metrics.ts")).createMetrics({
      histograms,
      health: store.health,
      clock,
      stream: hubs.read,
      apiTokens: apiTokens.counts,
      webhooks: deliverer.read,
      checks: readiness,
      singleSignOn: singleSignOn.results,
      backups: backups.state,
      offSite: (offSite ?? noBackups).state,
      linesLost: log.lost,
    })
  /** Work that a server does at intervals. */
  const repeatedWork = [
    createRepeatedWork({ work: allowances.payDue, failure: "an allowance cannot be paid; retrying", log }),
    createRepeatedWork({ work: occasions.celebrateDue, failure: "an occasion cannot be celebrated; retrying", log }),
    createRepeatedWork({ work: mailDispatch.enqueueDue, failure: "mail cannot be enqueued; retrying", log }),
    createRepeatedWork({ work: pushDispatch.enqueueDue, failure: "notifications cannot be enqueued; retrying", log }),
  ]
  return {
    transactionHub: hubs.transactionHub,
    feedHub: hubs.feedHub,
    deliverer,
    backups,
    offSite,
    repeatedWork,
    readiness,
    metrics,
  }
}

/** For PostgreSQL, which is backed up with its own tools. */
const noBackups: BackupSchedule = {
  start() {},
  stop: async () => {},
  state: () => ({ everyMs: 0, startedAt: null, lastSuccessAt: null, lastFailure: null }),
  newest: () => null,
}
