import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { draftConfig } from "../config/load.ts"
import type { Fault, Flags } from "../config/sources.ts"
import { configTemplate } from "../config/template.ts"
import { repeats } from "./support/arguments.ts"
import { command } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { readPassword } from "./support/input.ts"
import { writeNew } from "./support/output.ts"

/** Writes a commented file of settings with a random secret, readable by its owner alone; never over another. */
export const init = command({
  name: "init",
  description: "Write a rewards.toml with a new secret",
  example: "rewards init --production --base-url https://rewards.example.com --smtp-server smtp.example.com",
  args: {
    production: { type: "boolean", description: "For production, with a new password of admin; needs --base-url" },
    "base-url": { type: "string", valueHint: "URL", description: "Address of the service for its users" },
    "trusted-proxies": {
      ...repeats,
      valueHint: "LIST",
      description: "Addresses of proxies, with commas between; may be repeated",
    },
    db: { type: "string", valueHint: "FILE", description: "The database" },
    "smtp-server": { type: "string", valueHint: "HOST", description: "Mail server" },
    "smtp-port": { type: "string", valueHint: "PORT", description: "Port of the mail server" },
    "smtp-user": { type: "string", valueHint: "NAME", description: "User name at the mail server" },
    "smtp-password": { type: "string", valueHint: "PASSWORD", description: "Password there, or - to read it" },
    "smtp-sender": { type: "string", valueHint: "ADDRESS", description: "Sender of the e-mail" },
    config: { type: "string", valueHint: "FILE", description: "The file to write, instead of rewards.toml" },
  },
  async run({ production, config: file = "rewards.toml", ...args }, context) {
    if (production && args["base-url"] === undefined) throw new UsageError("--production needs --base-url")
    const password = args["smtp-password"]
    const proxies = args["trusted-proxies"]
    const asked: Flags = {
      "security.secret_key": randomSecret(),
      "server.base_url": args["base-url"],
      ...(proxies.length > 0 && { "server.trusted_proxies": proxies.join(",") }),
      "db.path": args.db,
      "email.smtp_server": args["smtp-server"],
      "email.smtp_port": args["smtp-port"],
      "email.smtp_user": args["smtp-user"],
      "email.smtp_password": password === "-" ? await readPassword(context) : password,
      "email.smtp_sender": args["smtp-sender"],
      ...(args["smtp-server"] !== undefined && { "email.debug_mode": "false" }),
    }
    const { config, values, conflicts } = draftConfig(production ? forProduction(asked) : asked)
    writeNew(resolve(context.cwd, file), file, configTemplate(values))

    const serve = file === "rewards.toml" ? "rewards serve" : `rewards serve --config ${file}`
    const next = `Next: look through its settings, then start with: ${serve}`
    if (!production) return context.print(`Wrote ${file} with a new secret. ${next}`)
    const hasDatabase = existsSync(resolve(context.cwd, config.db.path))
    const { admin_password: first } = config.security
    const lines = [`Wrote ${file} for production, with a new secret.`, closed, ...conflicts.map(missing), next]
    if (hasDatabase) lines.push(`${config.db.path} exists already: admin keeps the password that is in it.`)
    else if (context.stdinIsTerminal) context.printError(`The first password of admin, told only now: ${first}`)
    else lines.push(`The first password of admin stands there as security.admin_password.`)
    await context.print(lines.join("\n"))
  },
})

/** What production needs besides, as far as it can be known. */
const forProduction = (asked: Flags): Flags => ({
  ...asked,
  "server.profile": "production",
  "security.admin_password": randomPassword(),
  "security.password_min_length": "12",
  "stream.access": "auth",
  "directory.access": "auth",
  "ui.avatar_hosts": "",
  "backup.every_hours": "24",
  "email.debug_mode": "false",
  "email.smtp_sender": asked["email.smtp_sender"] ?? `no-reply@${URL.parse(asked["server.base_url"] ?? "")?.hostname}`,
})

const randomSecret = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true })

/** 120 bits, in letters and digits that nobody takes for another. */
function randomPassword(): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789"
  const chosen = [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => letters[byte % letters.length])
  return chosen.join("").replace(/.{4}(?=.)/g, "$&-")
}

/** The settings that differ from the defaults to keep strangers out. */
const closed =
  'It is closed to strangers: stream.access and directory.access are "auth", the app shows no pictures of other hosts ' +
  "(ui.avatar_hosts), and new passwords have at least 12 characters (security.password_min_length)."

const missing = ({ path, expected }: Fault): string => `Still missing is ${path}: ${expected}.`
