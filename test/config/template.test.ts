import { expect, test } from "bun:test"
import { entries } from "../../src/config/settings.ts"
import { configTemplate, settingsTable } from "../../src/config/template.ts"
import { load, secret } from "./support.ts"

const env = { REWARDS_SECURITY__SECRET_KEY: undefined }
const template = configTemplate([{ path: "security.secret_key", value: secret }])
const uncommented = template.replaceAll(/^# (\w+ = )/gm, "$1")

test("the file that init writes sets only the secret", () => {
  expect(Bun.TOML.parse(template)).toEqual({
    ...Object.fromEntries(entries.map(({ section }) => [section, {}])),
    security: { secret_key: secret },
  })
  expect(load({ toml: template, env })).toEqual(load())
})

/** The keys of a bucket come from settings or from a command. */
const withoutCommand = (toml: string) => toml.replace(/^s3_credentials_command .*$/m, "")

test("uncommented, its lines hold the defaults, or examples where there is no default", () => {
  const defaults = load()
  expect(load({ toml: withoutCommand(uncommented), env })).toEqual({
    ...defaults,
    server: {
      ...defaults.server,
      base_url: "https://rewards.example.com",
      tls_cert: "/etc/rewards/cert.pem",
      tls_key: "/etc/rewards/key.pem",
      acme_email: "it@example.com",
      acme_eab_kid: "key id",
      acme_eab_key: "c2VjcmV0",
      http_port: 80,
    },
    service: { ...defaults.service, logo: "/etc/rewards/logo.png" },
    db: { ...defaults.db, url: "postgres://rewards:password@localhost/rewards" },
    backup: {
      ...defaults.backup,
      s3_bucket: "rewards-backups",
      s3_endpoint: "https://s3.example.com",
      s3_prefix: "rewards/",
      s3_access_key: "access key",
      s3_secret_key: "change me",
      s3_session_token: "change me",
      s3_ca: "/etc/rewards/s3-ca.pem",
      passphrase: "several words, kept elsewhere too",
    },
    session: { ...defaults.session, secure: true },
    oidc: {
      ...defaults.oidc,
      issuer: "https://login.example.com/realms/company",
      client_id: "rewards",
      client_secret: "change me",
      button: "Log in with Example",
      department_claim: "department",
      duty_claim: "groups",
      session_hours: 12,
      ca: "/etc/rewards/login-ca.pem",
    },
    email: {
      ...defaults.email,
      smtp_server: "smtp.example.com",
      smtp_user: "rewards",
      smtp_password: "change me",
      smtp_tls: "starttls",
      oauth_token_url: "https://login.microsoftonline.com/TENANT-ID/oauth2/v2.0/token",
      oauth_client_id: "client id",
      oauth_client_secret: "change me",
      oauth_refresh_token: "refresh token",
      oauth_scope: "https://outlook.office365.com/.default",
      smtp_ca: "/etc/rewards/mail-ca.pem",
    },
    slack: {
      ...defaults.slack,
      signing_secret: "signing secret of the Slack app",
      bot_token: "xoxb-…",
      webhook_url: "https://hooks.slack.com/services/T000/B000/XXXX",
    },
    mattermost: {
      tokens: ["nezum4kpu3faiec7r7c5zt6tfy"],
      url: "https://chat.example.com",
      bot_token: "access token of the bot",
    },
    webhooks: { ...defaults.webhooks, ca: "/etc/rewards/webhook-ca.pem" },
    stream: { ...defaults.stream, wall_key: "24-random-characters-at-least" },
    metrics: { listen: "127.0.0.1:9464" },
  })
})

test("the file has a line and an explanation for every setting", () => {
  for (const { key, setting } of entries) {
    expect(uncommented).toMatch(new RegExp(`^${key} = `, "m"))
    expect(template).toContain(`# ${setting.meaning}.`)
  }
})

test("a secret with any characters is read back unchanged", () => {
  const odd = 'quote " backslash \\ newline \n é 🎁'
  expect(load({ toml: configTemplate([{ path: "security.secret_key", value: odd }]), env }).security.secret_key).toBe(
    odd,
  )
})

test("the table in docs/settings.md has a row for every setting, with default, variable and meaning", () => {
  const rows = settingsTable().trimEnd().split("\n")
  expect(rows).toHaveLength(entries.length + 2)
  expect(rows.slice(0, 4)).toEqual([
    "| Setting | Default | Environment | Meaning |",
    "| --- | --- | --- | --- |",
    '| `server.host` | `"127.0.0.1"` | `REWARDS_SERVER__HOST` | Address to listen on. A host name or an IP address, without port. |',
    "| `server.port` | `8000` | `REWARDS_SERVER__PORT` | Port to listen on; 0 picks a free one. A whole number from 0 to 65535. |",
  ])
  expect(rows.find((row) => row.includes("security.secret_key"))).toContain(
    "| required | `REWARDS_SECURITY__SECRET_KEY` |",
  )
  expect(rows.find((row) => row.includes("smtp_server"))).toContain("| not set | `REWARDS_EMAIL__SMTP_SERVER` |")
  for (const row of rows) expect(row.split(" | ")).toHaveLength(4)
})
