import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { version } from "../../package.json"
import { createServerApp, type ServerApp } from "../app/server-app.ts"
import { splitAddress } from "../config/kinds.ts"
import { ConfigError } from "../config/load.ts"
import { cautions, httpPortOf, usesTls, weaknesses } from "../config/rules.ts"
import { type Config, defaultAdminPassword } from "../config/settings.ts"
import { adminUsername } from "../domain/people/users.ts"
import { commonHeaders } from "../http/base.ts"
import type { PlainServer } from "../http/plain-server.ts"
import { type MetricsServer, type RunningServer, startMetricsServer, startServer } from "../http/server.ts"
import { smtpSettingsOf } from "../integrations/mail/smtp.ts"
import { isLoopback } from "../net/addresses.ts"
import { databaseName } from "../storage/open.ts"
import { DatabaseUnusable } from "../storage/open-store.ts"
import { servedFileSystemOf, servedProblem } from "../support/file-systems.ts"
import { createLog, type Log } from "../support/log.ts"
import type { ServiceManager } from "../support/service-manager.ts"
import { systemCodeOf } from "../support/system-errors.ts"
import { operatorOf } from "./support/app.ts"
import { flag, option } from "./support/arguments.ts"
import type { CertificateSource } from "./support/certificate.ts"
import {
  type CommandContext,
  command,
  configWithSecret,
  type FileArgs,
  fileArgs,
  withFileOptions,
} from "./support/command.ts"
import { Refusal, usingDatabase } from "./support/failures.ts"
import {
  defaultPasswordRefused,
  defaultPasswordWarning,
  hasDefaultPassword,
  refuseWeakFirstPassword,
  warnOfDefaultPassword,
  willRefuseAdmin,
} from "./support/first-password.ts"

/** How long stopping may take, from the first signal to the end of the process. */
const stopTimeoutMs = 9000
/** How long running jobs may take to finish; others run again after the next start. */
const workerGraceMs = 5000

/** Runs the service until SIGTERM or SIGINT. */
export const serve = command({
  name: "serve",
  description: "Run the server",
  example: "rewards serve --port 8080",
  args: {
    host: option("HOST", "Address to listen on, instead of server.host"),
    port: option("PORT", "Port to listen on, instead of server.port"),
    init: flag("Before a first start without a secret, write a rewards.toml with a new one, as `rewards init` does"),
    ...fileArgs,
  },
  async run(args, context) {
    if (args.init) await writeSettingsFirst(context, args)
    const flags = { "server.host": args.host, "server.port": args.port }
    const config = await loadedConfig(() => configWithSecret(context, args, flags))
    smtpSettingsOf(config)?.ca?.() // an unusable file must stop the start, not the first mail
    const log = createLog()
    const certificate = await certificateSource(config, context, log)
    const signal = context.stopSignal()
    try {
      await serveUntil(signal, { config, certificate, log, context, args })
      log.info("stopped")
    } finally {
      await log.written()
    }
  },
})

/** For a container, whose volume is empty at the first start. */
async function writeSettingsFirst(context: CommandContext, args: FileArgs) {
  const { writeFirstSettings } = await import("./config.ts")
  if (writeFirstSettings(context, args)) context.printError("Wrote rewards.toml with a new secret")
}

interface Serving extends Omit<Opening, "beforeFirstUse" | "abandon"> {
  /** Null without TLS. */
  readonly certificate: CertificateSource | null
  /** Says where the app is, instead of the log. */
  readonly welcome?: (url: string) => Promise<void>
}

/** Serves until `signal` names the signal to stop. */
export async function serveUntil(
  signal: Promise<string>,
  { config, certificate, log, context, args, welcome }: Serving,
): Promise<void> {
  let isFirstStart = false
  const beforeFirstUse = async () => {
    if (config.server.profile === "production") await refuseWeakFirstPassword(config)
    isFirstStart = true
  }
  let server: RunningServer | null = null
  const abandon = () => server?.kill()
  const manager = await serviceManager(context, log)
  const app = await usingDatabase(config.db, () => open({ config, log, context, args, beforeFirstUse, abandon }))
  try {
    await recordSettings(app, context)
    const metrics = await startMetrics(app)
    server = await start(app, certificate, context)
    const plain = await startPlain(config, certificate, context)
    const unfollow = certificate?.follow(server.changeCertificate)
    if (welcome) await welcome(openableUrl(app.address.url))
    else if (isFirstStart) await sayWhereToBegin(app, context)
    else if (config.server.profile === "development") void warnOfDefaultPassword(app)
    manager?.ready(`Listening on ${server.url}`)
    log.info("stopping", { signal: await signal })
    manager?.stopping()
    unfollow?.()
    await finish(app, server)
    plain?.stop()
    metrics?.stop()
  } finally {
    await app.close()
  }
}

/** systemd, when it started this process and wants to be told; null otherwise. */
async function serviceManager({ env, pid }: CommandContext, log: Log): Promise<ServiceManager | null> {
  if (!env.NOTIFY_SOCKET) return null
  const { connectServiceManager } = await import("../support/service-manager.ts")
  try {
    return connectServiceManager(env, pid)
  } catch (error) {
    log.warn("systemd cannot be told that the server is ready; set Type=exec and no WatchdogSec in its unit", {
      error: String(error),
    })
    return null
  }
}

/** Loaded only with TLS, because it takes time at every start. @throws Refusal */
async function certificateSource(config: Config, context: CommandContext, log: Log): Promise<CertificateSource | null> {
  if (!usesTls(config.server)) return null
  const { acmeCertificates, certificateFiles } = await import("./support/certificate.ts")
  return (await acmeCertificates(config, context, log)) ?? certificateFiles(config, context, log)
}

/**
 * Loads the configuration. If it has faults in production, also reports a default password of admin, so that one
 * message names everything to correct.
 * @throws ConfigError
 */
async function loadedConfig(load: () => Config): Promise<Config> {
  try {
    return load()
  } catch (error) {
    if (!(error instanceof ConfigError) || !error.draft || !(await willRefuseAdmin(error.draft))) throw error
    throw new ConfigError([
      ...error.faults,
      {
        path: "security.admin_password",
        source: "the password that admin has",
        expected:
          "a password other than the default; once there is a database, `rewards user set-password admin` sets it",
      },
    ])
  }
}

interface Opening {
  readonly config: Config
  readonly log: Log
  readonly context: CommandContext
  readonly args: FileArgs
  /** Called before `admin` is created. */
  readonly beforeFirstUse: () => Promise<void>
  /** Cuts all connections, so that nothing more is answered. */
  readonly abandon: () => void
}

async function open({ config, log, context, args, beforeFirstUse, abandon }: Opening): Promise<ServerApp> {
  const inProduction = config.server.profile === "production"
  // Before the file is created, so that a refusal leaves no file behind.
  if (inProduction && config.db.url === null && !existsSync(config.db.path)) await refuseWeakFirstPassword(config)

  const app = await createServerApp(config, {
    log,
    clock: context.now,
    beforeFirstUse,
    onUnusable(error) {
      abandon()
      exitWith(error, databaseName(config.db), log, context, args)
    },
    verifyMb: config.db.verify_mb,
    inThreads: true,
    backUp: inChildProcess(context, config.db.path, args, ["backup"]),
    uploadBackup: inChildProcess(context, config.db.path, args, ["backup", "upload"]),
  })
  if (!inProduction || !(await hasDefaultPassword(app))) return app
  await app.close()
  throw defaultPasswordRefused()
}

function exitWith(error: unknown, database: string, log: Log, context: CommandContext, args: FileArgs) {
  if (error instanceof DatabaseUnusable)
    log.error(withFileOptions(`cannot use the database ${database}: ${error.message}`, args))
  else log.error("exiting: the database failed, and its state on disk is unknown", { error: String(error) })
  void log.end().then(() => context.exit(1))
}

/**
 * Runs `rewards backup` or `rewards backup upload` for a file in a child process, so that requests do not wait for it.
 * `signal` kills the child. Rejects with the child's error message.
 */
function inChildProcess(
  { program, cwd, env }: CommandContext,
  path: string,
  { config }: FileArgs,
  words: readonly string[],
) {
  return async (file: string, signal: AbortSignal): Promise<void> => {
    const args = [...words, file, "--db", path, ...(config === undefined ? [] : ["--config", config])]
    const child = Bun.spawn([...program, ...args], {
      cwd,
      env: { ...env },
      stdio: ["ignore", "ignore", "pipe"],
      signal,
      killSignal: "SIGKILL",
    })
    const message = await new Response(child.stderr).text()
    const status = await child.exited
    if (status === 0) return
    const tooLong = "it took too long and was stopped; check that the disk of backup.dir accepts writes"
    throw new Error(signal.aborted ? tooLong : message.trim() || `it ended with status ${status}`)
  }
}

/** Records in the audit log which settings weaken the service, if these have changed. */
async function recordSettings({ config, auditLog }: ServerApp, context: CommandContext) {
  const weak = new Set(cautions(config).map(({ about }) => about))
  await auditLog.settingsInForce([...weak], operatorOf(context))
}

/** Null when metrics are off. */
async function startMetrics({ config, metrics, log }: ServerApp): Promise<MetricsServer | null> {
  if (metrics === null || config.metrics.listen === null) return null
  const address = splitAddress(config.metrics.listen)
  const settings = { host: "metrics.listen", port: "metrics.listen" }
  const headers = commonHeaders(config)
  const server = await listenAt({ ...address, settings }, () => startMetricsServer({ metrics, ...address, headers }))
  log.info("serving metrics", { url: `${server.url}/metrics` })
  return server
}

/** Starts listening, then starts everything that runs in the background, and logs the address and warnings. */
async function start(
  app: ServerApp,
  certificate: CertificateSource | null,
  { cwd, pid }: CommandContext,
): Promise<RunningServer> {
  const { config, log, transactionHub, feedHub, worker, deliverer, backups, offSite, repeatedWork } = app
  const { host, port, base_url, profile } = config.server
  const settings = { host: "server.host", port: "server.port" }
  const server = await listenAt({ host, port, settings }, () => startServer(app, certificate?.tls))
  if (base_url === null) app.address.url = server.url
  await Promise.all([transactionHub.start(), feedHub.start()])
  worker.start()
  const channel = { setting: "slack.webhook_url", url: config.slack.webhook_url, format: "slack" } as const
  await app.webhooks.applySetting(channel).catch((error: unknown) => {
    log.error("slack.webhook_url cannot be used", { error: error instanceof Error ? error.message : String(error) })
  })
  deliverer.start()
  backups.start()
  offSite?.start()
  for (const one of repeatedWork) one.start()

  const { url } = server
  log.info("listening", {
    url,
    profile,
    database: config.db.url === null ? resolve(cwd, config.db.path) : databaseName(config.db),
    version,
    pid,
  })
  for (const weakness of weaknesses(config)) log.warn(weakness)
  for (const { about, problem, cure, isLogged } of cautions(config))
    if (isLogged) log.warn(`${about}: ${problem}; ${cure}`)
  if (config.db.url === null) warnOfFileSystem(resolve(cwd, config.db.path), log)
  if (base_url === null && !isLoopback(host)) log.warn(`server.base_url is not set: links in e-mail begin with ${url}`)
  return server
}

export function warnOfFileSystem(path: string, log: Pick<Log, "warn">, type: string | null = servedFileSystemOf(path)) {
  if (type === null) return
  const { problem, cure } = servedProblem(path, type)
  log.warn(`${problem}; ${cure}`)
}

/** The server that redirects to https; null without one. */
async function startPlain(
  { server, security }: Config,
  certificate: CertificateSource | null,
  { now }: CommandContext,
): Promise<PlainServer | null> {
  const { host, base_url: baseUrl } = server
  const port = httpPortOf(server)
  if (port === null || baseUrl === null) return null
  const { startPlainServer } = await import("../http/plain-server.ts")
  const settings = { host: "server.host", port: "server.http_port" }
  const secret = security.secret_key
  return listenAt({ host, port, settings }, () =>
    startPlainServer({ host, port, baseUrl, answerTo: certificate?.answerTo, secret, now }),
  )
}

interface ListenAddress {
  readonly host: string
  readonly port: number
  /** The names of the settings for host and port. */
  readonly settings: { readonly host: string; readonly port: string }
}

/** Calls `start`, which listens on this address. @throws Refusal with the cure when that fails */
export async function listenAt<T>({ host, port, settings }: ListenAddress, start: () => T): Promise<T> {
  try {
    return start()
  } catch (error) {
    // Bun reports an unknown host name as another error, such as a port in use.
    const { lookup } = await import("node:dns/promises")
    await lookup(host).catch(() => {
      throw new Refusal(`the name ${host} is not known; set ${settings.host}`, { cause: error })
    })
    const cures: Record<string, string> = {
      EADDRINUSE: `is in use; end the other process or set ${settings.port}`,
      EACCES: `may not be used by this user; set ${settings.port} to 1024 or higher`,
      EADDRNOTAVAIL: `cannot be listened on: no network of this machine has that address; set ${settings.host}`,
    }
    const cure = cures[systemCodeOf(error)]
    throw cure === undefined ? error : new Refusal(`port ${port} on ${host} ${cure}`, { cause: error })
  }
}

/** Answers the requests in progress, closes the streams and lets the worker finish, within the timeouts. */
async function finish(
  { transactionHub, feedHub, worker, deliverer, backups, offSite, repeatedWork }: ServerApp,
  server: RunningServer,
): Promise<void> {
  const answered = server.stop()
  for (const one of [transactionHub, feedHub]) one.stop() // before the server, whose stop waits for open streams
  const done = Promise.all([
    answered,
    worker.stop(workerGraceMs),
    deliverer.stop(workerGraceMs),
    backups.stop(),
    offSite?.stop(),
    ...repeatedWork.map((one) => one.stop()),
  ])
  await Promise.race([done, Bun.sleep(stopTimeoutMs)])
  server.kill()
}

/** The last line of a first start: where to open the app, and who can log in. Never a password that somebody chose. */
async function sayWhereToBegin({ address, config, log }: ServerApp, { stdoutIsTerminal, printError }: CommandContext) {
  const isDefault = config.security.admin_password === defaultAdminPassword
  if (isDefault) log.warn(defaultPasswordWarning)
  const password = isDefault ? defaultAdminPassword : "in security.admin_password"
  const line = `Open ${openableUrl(address.url)} and log in as ${adminUsername} with the password ${password}`
  if (!stdoutIsTerminal) return log.info(line)
  await log.written()
  printError(line)
}

/** Browsers cannot open `0.0.0.0` or `::`, which mean every address of this machine. */
function openableUrl(url: string): string {
  const { hostname } = new URL(url)
  return hostname === "0.0.0.0" || hostname === "[::]" ? url.replace(/\/\/(\[.*\]|[^:/]*)/, "//localhost") : url
}
