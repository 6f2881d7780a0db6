import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { version } from "../../package.json"
import { isCommonPassword } from "../common-passwords.ts"
import { splitAddress } from "../config/kinds.ts"
import { cautions, isLoopback, showsWhatFeedHides, weaknesses } from "../config/rules.ts"
import type { Config } from "../config/settings.ts"
import { defaultAdminPassword } from "../config/settings.ts"
import { adminUsername } from "../domain/people/users.ts"
import { commonHeaders } from "../http/headers.ts"
import { type MetricsServer, startMetricsServer } from "../http/metrics-server.ts"
import { type RunningServer, startServer, type Tls } from "../http/server.ts"
import { createLog, type Log } from "../log.ts"
import { smtpSettingsOf } from "../mail/smtp.ts"
import { createServerApp, type ServerApp } from "../server-app.ts"
import { DatabaseUnusable } from "../storage/sqlite/database/errors.ts"
import { command, configWithSecret, type FileArgs, fileArgs } from "./command.ts"
import { Refusal, usingDatabase } from "./failures.ts"
import { listenAt } from "./listen.ts"
import { operatorOf } from "./operator.ts"
import { configToServe } from "./production.ts"
import { backUpBeside } from "./scheduled-backup.ts"
import type { Surroundings } from "./surroundings.ts"

/** From the first signal to the end, whatever still runs then. */
const stopWithinMs = 9000
/** For attempts of the worker: what they do not finish is due again at the next start. */
const workerGraceMs = 5000

/** Runs the service until SIGTERM or SIGINT. */
export const serve = command({
  name: "serve",
  description: "Run the service",
  example: "rewards serve --port 8080",
  args: {
    host: { type: "string", valueHint: "HOST", description: "Address to listen on, instead of server.host" },
    port: { type: "string", valueHint: "PORT", description: "Port to listen on, instead of server.port" },
    ...fileArgs,
  },
  async run(args, around) {
    const flags = { "server.host": args.host, "server.port": args.port }
    const config = await configToServe(() => configWithSecret(around, args, flags))
    smtpSettingsOf(config.email)?.ca?.() // a file that cannot be used stops the start, not the first mail
    const tls = config.server.tls_cert === null ? null : (await certificates()).certificateOf(config, around.cwd)
    const signal = around.stopSignal()
    const log = createLog()
    const app = await usingDatabase(config.db.path, () => open(config, log, around, args))
    try {
      await noteSettings(app, around)
      const metrics = await startMetrics(app)
      const server = await start(app, tls, around)
      log.info("stopping", { signal: await signal })
      await finish(app, server)
      metrics?.stop()
    } finally {
      await app.close()
    }
    log.info("stopped")
    log.flush()
  },
})

const certificates = () => import("./certificate.ts")

async function open(config: Config, log: Log, around: Surroundings, args: FileArgs): Promise<ServerApp> {
  const inProduction = config.server.profile === "production"
  // Before the file exists: once admin is in it, the setting counts no more.
  if (inProduction && !existsSync(config.db.path)) await refuseWeakFirstPassword(config)

  const app = await createServerApp(config, {
    log,
    clock: around.now,
    onUnusable: endAtOnce(config.db.path, log, around),
    verifyMb: config.db.verify_mb,
    backUp: backUpBeside(around, config.db.path, args),
  })
  if (!inProduction || !(await hasDefaultPassword(app))) return app
  await app.close()
  throw defaultPasswordRefused()
}

const endAtOnce = (path: string, log: Log, around: Surroundings) => (error: unknown) => {
  if (error instanceof DatabaseUnusable) log.error(`cannot use the database ${path}: ${error.message}`)
  else log.error("the database failed and what is on disk is unknown: this process ends", { error: String(error) })
  log.flush()
  around.exit(1)
}

async function refuseWeakFirstPassword({ security: { admin_password: first, password_min_length: least } }: Config) {
  if (first === defaultAdminPassword) throw defaultPasswordRefused()
  if (Buffer.byteLength(first) < least || (await isCommonPassword(first)))
    throw new Refusal(
      `security.admin_password: production does not start with this first password of admin; give at least ${least} ` +
        "bytes that are none of the most common passwords",
    )
}

async function noteSettings({ config, auditLog }: ServerApp, around: Surroundings) {
  const weak = new Set(cautions(config).map(({ about }) => about))
  await auditLog.settingsInForce([...weak], operatorOf(around))
}

/** Null while they are off. */
async function startMetrics({ config, metrics, log }: ServerApp): Promise<MetricsServer | null> {
  if (metrics === null || config.metrics.listen === null) return null
  const address = splitAddress(config.metrics.listen)
  const settings = { host: "metrics.listen", port: "metrics.listen" }
  const headers = commonHeaders(config)
  const server = await listenAt({ ...address, settings }, () => startMetricsServer({ metrics, ...address, headers }))
  log.info("serving metrics", { url: `${server.url}/metrics` })
  return server
}

/** Listens, and says so. */
async function start(app: ServerApp, tls: Tls | null, { cwd, pid, now }: Surroundings): Promise<RunningServer> {
  const { config, log, hub, feedHub, worker, backups } = app
  const { host, port, base_url, profile } = config.server
  const settings = { host: "server.host", port: "server.port" }
  const server = await listenAt({ host, port, settings }, () => startServer(app, tls))
  if (base_url === null) app.address.url = server.url
  await Promise.all([hub.start(), feedHub.start()])
  worker.start()
  backups.start()

  const { url } = server
  log.info("listening", { url, profile, database: resolve(cwd, config.db.path), version, pid })
  for (const weakness of weaknesses(config)) log.warn(weakness)
  if (showsWhatFeedHides(config))
    log.warn('stream.access: everybody sees every transfer there, although recognition.feed is "own"; set "auth"')
  if (base_url === null && !isLoopback(host)) log.warn(`server.base_url is not set: links in e-mail begin with ${url}`)
  const problem = tls && (await certificates()).lifetimeProblem(tls.cert, now())
  if (problem) log.warn(`server.tls_cert: ${problem}`)
  if (profile === "development") void warnOfDefaultPassword(app)
  return server
}

/** Answers what runs, closes the streams, lets the worker finish; gives up on what takes too long. */
async function finish({ hub, feedHub, worker, backups }: ServerApp, server: RunningServer): Promise<void> {
  const answered = server.stop()
  for (const one of [hub, feedHub]) one.stop() // the server's stop waits for open streams, so after it
  const done = Promise.all([answered, worker.stop(workerGraceMs), backups.stop()])
  await Promise.race([done, Bun.sleep(stopWithinMs)])
  server.kill()
}

async function warnOfDefaultPassword(app: ServerApp) {
  if (await hasDefaultPassword(app))
    app.log.warn("security.admin_password: admin has the default password; production refuses to start with it")
}

async function hasDefaultPassword({ store }: ServerApp): Promise<boolean> {
  const admin = await store.users.byUsername(adminUsername)
  // A hash that cannot be read is nobody's password, not this one's either.
  return admin !== null && Bun.password.verify(defaultAdminPassword, admin.password).catch(() => false)
}

const defaultPasswordRefused = () =>
  new Refusal(
    "security.admin_password: production does not start while admin has the default password; set it before the " +
      "database is created, or change it with: rewards set-password admin",
  )
