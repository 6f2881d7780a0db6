import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { draftConfig } from "../config/load.ts"
import { entries } from "../config/settings.ts"
import type { Fault, Flags } from "../config/sources.ts"
import { configTemplate } from "../config/template.ts"
import { flag, listOption, option } from "./support/arguments.ts"
import {
  type CommandContext,
  command,
  configOf,
  type FileArgs,
  fileArgs,
  jsonArg,
  settingsOf,
} from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { json, readSecret, table, writeNew } from "./support/terminal.ts"

const columns = ["setting", "value", "source"] as const

/** Prints every setting with its value and the source of that value, but no secrets. */
export const config = command({
  name: "config",
  description: "Print every setting with its value and source",
  example: "rewards config --json",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const secrets = new Set(entries.filter(({ setting }) => setting.secret).map(({ path }) => path))
    const shown = settingsOf(context, args).map(({ path, value, source }) => ({
      setting: path,
      value: value !== null && secrets.has(path) ? hidden : value,
      source,
    }))
    const rows = shown.map(({ setting, value, source }) => [
      setting,
      value === null ? "" : JSON.stringify(value),
      source,
    ])
    await context.print(args.json ? json(shown) : table(columns, rows))
  },
})

const hidden = "(hidden)"

/**
 * Before a first start without any secret, writes the `rewards.toml` that `rewards init` writes. Does nothing when there is a
 * settings file, a secret, or a database, whose tokens and sealed secrets need the one that they were made with.
 */
export function writeFirstSettings(context: CommandContext, args: FileArgs): boolean {
  const { db, security } = configOf(context, args)
  const file = resolve(context.cwd, "rewards.toml")
  if (security.secret_key !== null || db.url !== null) return false
  if (existsSync(file) || existsSync(resolve(context.cwd, db.path))) return false
  const { values } = draftConfig({ "security.secret_key": randomSecret() })
  writeNew(file, file, configTemplate(values))
  return true
}

/** Writes a commented settings file with a random secret, readable only by its owner. Never overwrites a file. */
export const init = command({
  name: "init",
  description: "Write a rewards.toml with a new secret",
  example:
    "rewards init --production --base-url https://rewards.example.com --admin-email admin@example.com --smtp-server smtp.example.com",
  args: {
    production: flag("Settings for production, with a new password for admin; needs --base-url"),
    "base-url": option("URL", "Address under which users reach the service"),
    "trusted-proxies": listOption("LIST", "Addresses of trusted proxies, separated by commas; may be repeated"),
    db: option("FILE", "Database file"),
    postgres: option("URL", "PostgreSQL database instead of a file, or - to read its URL from standard input"),
    "admin-email": option("ADDRESS", "E-mail address of admin, for mail to admin"),
    "smtp-server": option("HOST", "Mail server"),
    "smtp-port": option("PORT", "Port of the mail server"),
    "smtp-user": option("NAME", "User name at the mail server"),
    "smtp-password": option("PASSWORD", "Password at the mail server, or - to read it from standard input"),
    "smtp-sender": option("ADDRESS", "Sender address of e-mail"),
    config: option("FILE", "File to write, instead of rewards.toml"),
  },
  async run({ production, config: file = "rewards.toml", ...args }, context) {
    if (production && args["base-url"] === undefined) throw new UsageError("--production needs --base-url")
    if (args.db !== undefined && args.postgres !== undefined) throw new UsageError("give --db or --postgres, not both")
    if (args.postgres === "-" && args["smtp-password"] === "-")
      throw new UsageError("only one of --postgres and --smtp-password can be read from standard input")
    const given = async (value: string | undefined, prompt: string) =>
      value === "-" ? await readSecret(context, prompt) : value
    const proxies = args["trusted-proxies"]
    const asked: Flags = {
      "security.secret_key": randomSecret(),
      "server.base_url": args["base-url"],
      ...(proxies.length > 0 && { "server.trusted_proxies": proxies.join(",") }),
      "db.path": args.db,
      "db.url": await given(args.postgres, "URL of the PostgreSQL database:"),
      "security.admin_email": args["admin-email"],
      "email.smtp_server": args["smtp-server"],
      "email.smtp_port": args["smtp-port"],
      "email.smtp_user": args["smtp-user"],
      "email.smtp_password": await given(args["smtp-password"], "Password at the mail server:"),
      "email.smtp_sender": args["smtp-sender"],
      ...(args["smtp-server"] !== undefined && { "email.debug_mode": "false" }),
    }
    const { config, values, conflicts } = draftConfig(production ? forProduction(asked) : asked)
    writeNew(resolve(context.cwd, file), file, configTemplate(values))

    const serve = file === "rewards.toml" ? "rewards serve" : `rewards serve --config ${file}`
    const next = `Next: review its settings, then start the server with: ${serve}`
    if (!production) return context.print(`Wrote ${file} with a new secret. ${next}`)
    const hasDatabase = config.db.url === null && existsSync(resolve(context.cwd, config.db.path))
    const { admin_password: first } = config.security
    const lines = [
      `Wrote ${file} for production, with a new secret.`,
      restrictionsNote,
      ...conflicts.map(missing),
      ...(args["admin-email"] === undefined && !hasDatabase ? [unaddressed] : []),
      next,
    ]
    if (hasDatabase) lines.push(`${config.db.path} already exists: admin keeps the present password.`)
    else if (context.stdinIsTerminal) context.printError(`The first password of admin, shown only now: ${first}`)
    else lines.push(`The first password of admin is in ${file}, as security.admin_password.`)
    await context.print(lines.join("\n"))
  },
})

/** The settings that production needs and that follow from the options. */
const forProduction = (asked: Flags): Flags => ({
  ...asked,
  "server.profile": "production",
  "security.admin_password": randomPassword(),
  "security.password_min_length": "12",
  "stream.access": "auth",
  "directory.access": "auth",
  "ui.avatar_hosts": "",
  ...(asked["db.url"] === undefined && { "backup.every_hours": "24" }),
  "email.debug_mode": "false",
  "email.smtp_sender": asked["email.smtp_sender"] ?? `no-reply@${URL.parse(asked["server.base_url"] ?? "")?.hostname}`,
})

const randomSecret = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true })

/** 120 bits, without letters and digits that look alike. */
function randomPassword(): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789"
  const chosen = [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => letters[byte % letters.length])
  return chosen.join("").replace(/.{4}(?=.)/g, "$&-")
}

/** Names the settings that keep strangers out, which the defaults do not. */
const restrictionsNote =
  'It keeps strangers out: stream.access and directory.access are "auth", the app loads no pictures from other hosts ' +
  "(ui.avatar_hosts), and new passwords have at least 12 characters (security.password_min_length)."

const unaddressed =
  "Nobody reads mail to admin yet, such as requests for rewards: set security.admin_email (--admin-email ADDRESS)."

const missing = ({ path, expected }: Fault): string => `Still missing: ${path}: ${expected}.`
