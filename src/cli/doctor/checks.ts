import { resolve } from "node:path"
import { released, version } from "../../../package.json"
import { ConfigError } from "../../config/load.ts"
import { type Config, entries } from "../../config/settings.ts"
import type { Tls } from "../../http/server.ts"
import { acmeSettingsOf } from "../../integrations/acme/renewal.ts"
import { readState, statePath } from "../../integrations/acme/state.ts"
import { smtpSettingsOf } from "../../integrations/mail/smtp.ts"
import { providerSettingsOf } from "../../integrations/oidc/provider.ts"
import type { DiagnosedWebhook } from "../../storage/diagnosis.ts"
import type { BackupFolder, FileMaintenance, ServerMaintenance } from "../../storage/maintenance.ts"
import { maintenanceOf } from "../../storage/open.ts"
import { DatabaseUnusable } from "../../storage/open-store.ts"
import { UnusableFile } from "../../support/system-errors.ts"
import { refuseMistyped } from "../support/app.ts"
import { certificateOf } from "../support/certificate.ts"
import { type CommandContext, configWithSecret, type FileArgs, settingsOf } from "../support/command.ts"
import { Refusal, usingDatabase } from "../support/failures.ts"
import { checkAcme } from "./acme.ts"
import { type ContentsOptions, checkBackup, checkDatabase, checkDatabaseServer } from "./database.ts"
import { checkDisk, checkFileSystem, checkFiles, type Files } from "./files.ts"
import { bad, type Finding, ok } from "./finding.ts"
import { checkIntegrations } from "./integrations.ts"
import { checkProvider, checkSecondFactors } from "./logins.ts"
import { checkOffSite } from "./off-site.ts"
import { checkClock, checkServer } from "./server.ts"
import { checkCertificate, checkMail, checkSettings, checkVersion, faultFindings } from "./settings.ts"
import { checkSync } from "./speed.ts"

const jobPatienceMs = 10 * 60_000
/** How long before an API token expires doctor begins to warn. */
const tokenNoticeMs = 14 * 24 * 3_600_000

/** Runs every check. If the settings cannot be used, reports only their faults. */
export async function runChecks(context: CommandContext, args: FileArgs): Promise<readonly Finding[]> {
  try {
    return await checksOf(configWithSecret(context, args), context, args)
  } catch (error) {
    if (error instanceof ConfigError) return faultFindings(error.faults)
    throw error
  }
}

async function checksOf(config: Config, context: CommandContext, args: FileArgs): Promise<readonly Finding[]> {
  await usingDatabase(config.db, () => refuseMistyped(context, args))
  const now = context.now()
  const path = resolve(context.cwd, config.db.path)
  const database = await maintenanceOf({ ...config.db, path })
  const isFile = database.kind === "file"
  const [disk, databaseReport, offSite, mail, server, provider, authority] = await Promise.all([
    isFile ? diskChecks(path, config) : [],
    unusableAsFinding(() => (isFile ? fileChecks(database, config, now) : serverChecks(database, config, now))),
    checkOffSite(config, now),
    checkMail(smtpSettingsOf(config), config.email.smtp_sender),
    checkServer(config, now, certificateIn(config, context)),
    checkProvider(providerSettingsOf(config), now),
    config.server.acme_domains.length === 0 ? [] : checkAcme(config, context),
  ])
  return [
    checkVersion(now, { version, released }),
    ...checkSettings(config),
    ...checkFiles(filesOf(config, database, context, args)),
    ...disk,
    ...databaseReport.findings,
    ...offSite,
    ...checkSecondFactors(config, databaseReport.superusersWithoutFactor),
    ...(await checkIntegrations(config, databaseReport.webhooks)),
    ...mail,
    ...provider,
    ...checkCertificate(config, context),
    ...authority,
    ...server.findings,
    checkClock({ now, lastDate: databaseReport.lastDate, other: server.date }),
  ]
}

/** Null without a usable certificate: `checkCertificate` and `checkAcme` report one that is unusable. */
function certificateIn(config: Config, { cwd }: CommandContext): Tls | null {
  try {
    return config.server.acme_domains.length === 0
      ? certificateOf(config, cwd)
      : (readState(acmeSettingsOf(config, cwd).folder)?.certificate ?? null)
  } catch (error) {
    if (error instanceof Refusal || error instanceof UnusableFile) return null
    throw error
  }
}

const diskChecks = async (path: string, { health }: Config): Promise<readonly Finding[]> => [
  await checkDisk(path, health.disk_floor_mb),
  ...checkFileSystem(path),
  ...(await checkSync(path)),
]

interface DatabaseReport {
  readonly findings: readonly Finding[]
  /** Date of the last transaction; 0 when there is none. */
  readonly lastDate: number
  /** Usernames. */
  readonly superusersWithoutFactor: readonly string[]
  readonly webhooks: readonly DiagnosedWebhook[]
}

const noContents = { lastDate: 0, superusersWithoutFactor: [], webhooks: [] } as const

/** Turns the error of a database that cannot be used into a finding. */
async function unusableAsFinding(check: () => Promise<DatabaseReport>): Promise<DatabaseReport> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error
    const [problem = "", cure = ""] = error.message.split(/; (.*)/s)
    return { ...noContents, findings: [bad("database", problem, cure)] }
  }
}

async function serverChecks(database: ServerMaintenance, config: Config, now: number): Promise<DatabaseReport> {
  const diagnosis = await database.diagnose({ now, dueBy: now - jobPatienceMs, expiringBy: now + tokenNoticeMs })
  const findings = await checkDatabaseServer(diagnosis, { ...contentsOptions(config), poolSize: config.db.pool_size })
  const { lastDate, superusersWithoutFactor, webhooks } = diagnosis.contents ?? noContents
  return { findings, lastDate, superusersWithoutFactor, webhooks }
}

async function fileChecks(database: FileMaintenance, config: Config, now: number): Promise<DatabaseReport> {
  const { db, backup } = config
  const options = contentsOptions(config)
  const diagnosis = await database.diagnose({
    now,
    dueBy: now - jobPatienceMs,
    expiringBy: now + tokenNoticeMs,
    verifyMb: db.verify_mb,
  })
  if (diagnosis === null)
    return { ...noContents, findings: [ok("database", "does not exist yet: the first start creates it")] }
  const { lastDate, lastBackupAt, superusersWithoutFactor, webhooks } = diagnosis
  // The audit log also has backups that were written elsewhere; only the folder has those that a restore took from the log.
  const madeAt = [...(lastBackupAt === null ? [] : [lastBackupAt]), ...backupTimes(database.backupFolder(backup.dir))]
  const findings = [
    ...(await checkDatabase(diagnosis, { ...options, verifyMb: db.verify_mb })),
    ...checkBackup({ madeAt, everyHours: backup.every_hours, now, isStrict: options.isStrict }),
  ]
  return { findings, lastDate, superusersWithoutFactor, webhooks }
}

const contentsOptions = ({ server, security, email }: Config): ContentsOptions => ({
  isStrict: server.profile === "production",
  firstPassword: security.admin_password,
  sendsMail: !email.debug_mode,
})

/** The times of the backups in the folder. Ignores an unreadable folder, because the check of the files reports it. */
function backupTimes(folder: BackupFolder): number[] {
  try {
    return folder.backups().map(({ at }) => at)
  } catch {
    return []
  }
}

function filesOf(
  config: Config,
  database: FileMaintenance | ServerMaintenance,
  context: CommandContext,
  args: FileArgs,
): Files {
  const { db, email, server, backup } = config
  const at = (path: string) => resolve(context.cwd, path)
  const isFile = database.kind === "file"
  const debugFile = email.debug_mode ? [at(email.debug_file)] : []
  return {
    secret: [
      ...secretSources(context, args).map(at),
      ...debugFile,
      ...(server.tls_key === null ? [] : [at(server.tls_key)]),
      ...(server.acme_domains.length === 0 ? [] : [statePath(acmeSettingsOf(config, context.cwd).folder)]),
    ],
    database: isFile ? [db.path, `${db.path}-wal`, `${db.path}-shm`].map(at) : [],
    written: debugFile,
    folders: isFile ? [database.backupFolder(backup.dir).path] : [],
  }
}

/** The settings file if it contains a secret, and the files that variables such as REWARDS_…_FILE name. */
function secretSources(context: CommandContext, args: FileArgs): string[] {
  const secrets = entries.filter(({ setting }) => setting.secret)
  const inForce = settingsOf(context, args).filter(({ path }) => secrets.some((secret) => secret.path === path))
  const configFile = args.config ?? "rewards.toml"
  const named = Object.entries(context.env).flatMap(([name, path]) =>
    secrets.some(({ variable }) => name.toUpperCase() === `${variable}_FILE`) && path ? [path] : [],
  )
  return [...(inForce.some(({ source }) => source === configFile) ? [configFile] : []), ...named]
}
