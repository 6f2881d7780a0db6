import { languages } from "../domain/languages.ts"
import { defaultAdminEmail } from "../domain/people/fields.ts"
import {
  addressKey,
  addressRanges,
  avatarHosts,
  base64,
  baseUrl,
  boolean,
  bucketName,
  choice,
  databaseUrl,
  domainNames,
  dutyGroups,
  emailAddress,
  host,
  hostAndPort,
  integer,
  issuer,
  type Kind,
  number,
  objectPrefix,
  origins,
  passphrase,
  portList,
  regionName,
  resetUrl,
  scopes,
  secretList,
  secretText,
  serviceUrl,
  text,
  timeZone,
  words,
} from "./kinds.ts"

/** The first password of `admin` unless another is configured. Production refuses to run with it. */
export const defaultAdminPassword = "admin"

/** How the connection to the mail server is encrypted. */
export const smtpTls = ["implicit", "starttls", "starttls-if-offered", "off"] as const

const tenYears = { minutes: 5_256_000, seconds: 315_360_000 }
const lifetimeMinutes = integer(1, tenYears.minutes)
const filePath = text("a path of a file")
const folderPath = text("a path of a folder")

/**
 * The table of settings: section, key, kind, default and meaning. The file, environment variables, flags, the file that
 * `rewards init` writes and docs/settings.md are all derived from it.
 */
export const settings = {
  server: {
    host: setting(host, "127.0.0.1", "Address to listen on"),
    port: setting(integer(0, 65_535), 8000, "Port to listen on; 0 picks a free one"),
    base_url: optional(
      serviceUrl,
      "https://rewards.example.com",
      "Address under which users reach the service, when it is behind a proxy; a host without a path",
    ),
    trusted_proxies: setting(
      addressRanges,
      [],
      "Proxies whose X-Forwarded-For header is trusted for the client's address",
    ),
    tls_cert: optional(
      filePath,
      "/etc/rewards/cert.pem",
      "Certificate in PEM form, followed by its chain; if set, this server speaks TLS itself",
    ),
    tls_key: optional(filePath, "/etc/rewards/key.pem", "Private key of tls_cert in PEM form, without a passphrase"),
    acme_domains: setting(
      domainNames,
      [],
      "Names for which this server gets a certificate by itself, from Let's Encrypt or another authority with ACME",
    ),
    acme_email: optional(
      emailAddress,
      "it@example.com",
      "Where the authority may write about the certificates of acme_domains",
    ),
    acme_directory: setting(
      baseUrl,
      "https://acme-v02.api.letsencrypt.org/directory",
      "Address of the authority's ACME directory",
    ),
    acme_eab_kid: optional(
      text("1 to 200 characters", 200),
      "key id",
      "Key id of an account that the authority gave you",
    ),
    acme_eab_key: optional(base64, "c2VjcmV0", "Key that belongs to acme_eab_kid", { secret: true }),
    http_port: optional(
      integer(1, 65_535),
      80,
      "Port that redirects to https, and where the authority checks the names; 80 with acme_domains, otherwise none",
    ),
    state_dir: setting(
      folderPath,
      "state",
      "Folder of the certificates of acme_domains; a relative path starts at the folder of the database",
    ),
    profile: setting(
      choice("development", "production"),
      "development",
      "In production, the server refuses to start with unsafe settings",
    ),
  },
  service: {
    name: setting(text("1 to 100 characters", 100), "Rewards", "Name of the service in e-mail and in the browser"),
    logo: optional(
      filePath,
      "/etc/rewards/logo.png",
      "Logo of the company beside the name on the log-in page and on the wall, and in e-mail: a PNG, JPEG, WebP or SVG of at most 200 kB",
    ),
    time_zone: setting(timeZone, "UTC", "Time zone of days, weeks and months: of allowances, statistics and exports"),
    language: setting(
      choice(...languages),
      "en",
      "Language of mail and chat messages to people who have not chosen one, and of messages by webhooks",
    ),
  },
  db: {
    path: setting(filePath, "rewards.db", "The database file", { flag: "db" }),
    verify_mb: setting(
      integer(0, 1_000_000),
      4,
      "Largest database, in megabytes, that is verified at every start; 0 turns this off",
    ),
    url: optional(
      databaseUrl,
      "postgres://rewards:password@localhost/rewards",
      "PostgreSQL database to use instead of the file",
      { secret: true, flag: "postgres" },
    ),
    pool_size: setting(integer(1, 1000), 10, "Maximum number of connections that one process opens to PostgreSQL"),
  },
  backup: {
    every_hours: setting(
      integer(0, 8760),
      0,
      "Hours between the backups that a running server makes of its database file, not of PostgreSQL; 0 turns them off",
    ),
    keep: setting(integer(1, 10_000), 14, "How many of these backups are kept"),
    dir: setting(folderPath, "backups", "Folder of the backups; a relative path starts at the folder of the database"),
    s3_bucket: optional(
      bucketName,
      "rewards-backups",
      "Bucket of an S3 service to which each scheduled backup is copied; off unless set",
    ),
    s3_endpoint: optional(
      baseUrl,
      "https://s3.example.com",
      "Address of the S3 service; absent: Amazon's of the region",
    ),
    s3_region: setting(regionName, "us-east-1", "Region of the bucket"),
    s3_prefix: optional(
      objectPrefix,
      "rewards/",
      "Folder of the backups in the bucket, so that several servers can share it",
    ),
    s3_access_key: optional(secretText("a text that is not empty"), "access key", "Access key of the S3 service", {
      secret: true,
    }),
    s3_secret_key: optional(
      secretText("a text that is not empty"),
      "change me",
      "Secret that belongs to the access key",
      {
        secret: true,
      },
    ),
    s3_session_token: optional(
      secretText("a text that is not empty"),
      "change me",
      "Session token of keys that last only for some time",
      { secret: true },
    ),
    s3_credentials_command: optional(
      text("a command"),
      "aws configure export-credentials",
      "Command that prints the keys as JSON, as AWS tools do for a role of the machine; in place of the keys",
    ),
    s3_ca: optional(
      filePath,
      "/etc/rewards/s3-ca.pem",
      "Certificate authorities in PEM form to trust for the S3 service, instead of the system's",
    ),
    s3_keep: setting(integer(1, 10_000), 14, "How many backups are kept in the bucket"),
    passphrase: optional(
      passphrase,
      "several words, kept elsewhere too",
      "Encrypts the backups in the bucket; without it nobody can restore them. Not set: whoever can read the bucket can read them",
      { secret: true },
    ),
  },
  security: {
    secret_key: required(
      secretText("a text that is not empty"),
      "Key that signs every token; anyone who knows it can act as any user",
    ),
    algorithm: setting(choice("HS256"), "HS256", "Algorithm that signs tokens"),
    access_token_expire_minutes: setting(lifetimeMinutes, 30, "Lifetime of an access token, in minutes"),
    refresh_token_expire_minutes: setting(lifetimeMinutes, 600, "Lifetime of a refresh token, in minutes"),
    reset_token_expire_minutes: setting(lifetimeMinutes, 10, "Lifetime of a password-reset token, in minutes"),
    pwd_reset_url: setting(resetUrl, "{base_url}/reset-password", "Page that the password-reset e-mail links to"),
    bcrypt_cost: setting(
      integer(10, 15, { underTest: 4 }),
      12,
      "Cost of a password hash; each step doubles the time it takes",
    ),
    password_min_length: setting(integer(1, 1024), 1, "Minimum length of a new password, in characters"),
    admin_password: setting(
      secretText("1 to 1024 bytes", 1024),
      defaultAdminPassword,
      "First password of admin, used when the database is created",
      { secret: true },
    ),
    admin_email: setting(
      emailAddress,
      defaultAdminEmail,
      `E-mail address of admin, used when the database is created and while admin has ${defaultAdminEmail}`,
    ),
  },
  session: {
    expire_seconds: setting(integer(1, tenYears.seconds), 604_800, "Lifetime of a cookie session, in seconds"),
    same_site: setting(choice("lax", "strict", "none"), "lax", "SameSite attribute of the session cookie"),
    secure: optional(
      boolean,
      true,
      "Secure attribute of the session cookie; by default true when the service uses https",
    ),
  },
  login: {
    password: setting(
      choice("all", "superusers", "off"),
      "all",
      "Who may log in with a password: everybody, only superusers, or nobody; superusers and off need oidc.issuer",
    ),
    second_factor: setting(
      choice("off", "superusers"),
      "off",
      "Who must log in with a second factor besides the password; everyone may",
    ),
  },
  oidc: {
    issuer: optional(
      issuer,
      "https://login.example.com/realms/company",
      "OpenID Connect provider by which people log in; off unless set",
    ),
    client_id: optional(text("1 to 255 characters", 255), "rewards", "Name of this service at the provider"),
    client_secret: optional(
      secretText("a text that is not empty"),
      "change me",
      "Secret of this service at the provider; without one it must be a public client there",
      { secret: true },
    ),
    scopes: setting(scopes, "openid profile email", "Scopes that are requested"),
    button: optional(
      text("1 to 60 characters", 60),
      "Log in with Example",
      "Text of the button on the log-in screen; by default in the reader's language",
    ),
    provision: setting(
      boolean,
      false,
      "Create an account at the first log-in of somebody who has none, if the provider verified their e-mail address",
    ),
    department_claim: optional(
      text("1 to 255 characters", 255),
      "department",
      "Claim with the department, which is taken over at each log-in; never for superusers, and never management",
    ),
    default_department: setting(
      text("1 to 100 characters", 100),
      "unassigned",
      "Department of a created account when the claim names none",
    ),
    trust_email: setting(
      boolean,
      false,
      "Take addresses for verified when the provider does not say whether they are; only where people cannot choose their own",
    ),
    follow_profile: setting(
      boolean,
      true,
      "Take over name and verified e-mail address at each log-in; never the address of superusers and of people with duties",
    ),
    duty_claim: optional(
      text("1 to 255 characters", 255),
      "groups",
      "Claim with the groups that give duties, which are taken over at each log-in; never for superusers",
    ),
    duty_groups: setting(
      dutyGroups,
      [],
      "Groups with the duty of each; without any, a group gives the duty of its own name",
    ),
    session_hours: optional(
      integer(1, 8760),
      12,
      "Longest time of a session that was opened by the provider, if session.expire_seconds is longer",
    ),
    ca: optional(
      filePath,
      "/etc/rewards/login-ca.pem",
      "Certificate authorities in PEM form to trust for the provider, instead of the system's",
    ),
  },
  cors: {
    origins: setting(origins, [], "Other origins whose pages may call this service with credentials"),
  },
  email: {
    debug_mode: setting(boolean, true, "Append e-mail to debug_file instead of sending it"),
    debug_file: setting(filePath, "email.log", "File that e-mail is appended to in debug mode"),
    debug_delay_seconds: setting(number(0, 3600), 3, "Delay before an e-mail in debug mode, in seconds"),
    smtp_server: optional(host, "smtp.example.com", "Mail server; required when debug_mode is false"),
    smtp_port: setting(integer(1, 65_535), 465, "Port of the mail server"),
    smtp_tls: optional(
      choice(...smtpTls),
      "starttls",
      "How mail is encrypted: TLS from the start, or STARTTLS always, if the server offers it, or never; by default by the port: 587 starttls, 25 and 2525 starttls-if-offered, others implicit",
    ),
    smtp_allow_plain: setting(
      boolean,
      false,
      "Send mail to a public address without encryption where smtp_tls says so; otherwise only to a private one",
    ),
    smtp_user: optional(text("a text that is not empty"), "rewards", "User name at the mail server"),
    smtp_password: optional(secretText("a text that is not empty"), "change me", "Password at the mail server", {
      secret: true,
    }),
    oauth_token_url: optional(
      baseUrl,
      "https://login.microsoftonline.com/TENANT-ID/oauth2/v2.0/token",
      "Where this server gets access tokens for the mail server (OAuth 2.0), in place of smtp_password",
    ),
    oauth_client_id: optional(
      text("1 to 255 characters", 255),
      "client id",
      "Application at the provider of the tokens",
    ),
    oauth_client_secret: optional(secretText("a text that is not empty"), "change me", "Secret of this application", {
      secret: true,
    }),
    oauth_refresh_token: optional(
      secretText("a text that is not empty"),
      "refresh token",
      "Refresh token of the account that sends; absent: the application sends by its own rights (client credentials)",
      { secret: true },
    ),
    oauth_scope: optional(
      text("1 to 1000 characters", 1000),
      "https://outlook.office365.com/.default",
      "Scope that is requested, as the provider names it",
    ),
    smtp_ca: optional(
      filePath,
      "/etc/rewards/mail-ca.pem",
      "Certificate authorities in PEM form to trust for the mail server, instead of the system's",
    ),
    smtp_sender: setting(emailAddress, "no-reply@localhost", "Sender address of e-mail"),
  },
  jobs: {
    result_ttl_seconds: setting(integer(0, tenYears.seconds), 500, "How long a completed job is kept, in seconds"),
    max_attempts: setting(
      integer(1, 100),
      10,
      "Attempts for a job that fails for an unknown reason or crashes the process; mail is retried until it expires",
    ),
    lease_seconds: setting(
      integer(5, 3600),
      60,
      "How long a worker may hold a job before another takes it over, in seconds",
    ),
  },
  stream: {
    access: setting(choice("public", "auth"), "public", "Who may watch the transaction stream: anybody, or only users"),
    wall_key: optional(
      addressKey,
      "24-random-characters-at-least",
      "Key with which a screen at /wall#key=... shows the stream without logging in, when stream.access is auth",
      { secret: true },
    ),
    poll_interval_seconds: setting(
      number(0.05, 60),
      1,
      "How often the stream checks for transactions of other processes, in seconds; for ended credentials at least once a second",
    ),
  },
  directory: {
    access: setting(choice("public", "auth"), "public", "Who may list users at GET /user/: anybody, or only users"),
  },
  recognition: {
    tags: setting(
      words,
      [],
      "Tags that a sender may add to a transfer, until the first start stores them in the programme; ignored afterwards",
    ),
    feed: setting(
      choice("all", "own"),
      "all",
      "Which transfers members see: all, or only their own; superusers see all",
    ),
  },
  ui: {
    avatar_hosts: setting(avatarHosts, ["*"], "Hosts, besides this server, from which the browser app loads pictures"),
  },
  limits: {
    login_failures: setting(
      integer(1, 1_000_000),
      10,
      "Failed logins for one account from one address within 5 minutes before further ones are refused",
    ),
    transfers_per_minute: setting(
      integer(0, 1_000_000),
      120,
      "Requests of one regular user per minute that send or redeem points; a grant to many counts once; 0 means no limit",
    ),
    writes_per_minute: setting(
      integer(0, 1_000_000),
      120,
      "Requests of one regular user per minute that change anything else, such as a profile or a wish; 0 means no limit",
    ),
    reset_mails: setting(integer(1, 1_000_000), 10, "Password-reset mails to one address within 15 minutes"),
    idle_seconds: setting(
      integer(5, 255),
      60,
      "How long a request may take to arrive completely, and how long a connection may be idle, in seconds",
    ),
    streams: setting(integer(1, 1_000_000), 256, "Open streams per client address"),
    body_bytes: setting(integer(1024, 67_108_864), 65_536, "Largest request body, in bytes"),
  },
  webhooks: {
    allow_private: setting(
      addressRanges,
      [],
      "Networks of this company that webhooks may reach although their addresses are private, also without TLS",
    ),
    ports: setting(portList, [], "Ports that webhooks may use besides 443 and 80"),
    ca: optional(
      filePath,
      "/etc/rewards/webhook-ca.pem",
      "Certificate authorities in PEM form to trust for webhooks, besides the system's",
    ),
    keep_days: setting(integer(4, 3650), 30, "How many days events are kept, for webhooks and pollers"),
  },
  push: {
    allow_private: setting(
      addressRanges,
      [],
      "Networks that notifications to browsers may reach although their addresses are private, for tests; always with TLS",
    ),
  },
  slack: {
    signing_secret: optional(
      secretText("a text that is not empty"),
      "signing secret of the Slack app",
      "Signing secret of the Slack app, with which requests from Slack are checked",
      { secret: true },
    ),
    bot_token: optional(
      secretText("a text that is not empty"),
      "xoxb-…",
      "Bot token of the Slack app, which finds people by their e-mail addresses",
      { secret: true },
    ),
    webhook_url: optional(
      baseUrl,
      "https://hooks.slack.com/services/T000/B000/XXXX",
      "Incoming webhook of the channel in which recognitions appear",
      { secret: true },
    ),
    api_url: setting(baseUrl, "https://slack.com/api", "Address of Slack's Web API"),
  },
  mattermost: {
    tokens: optional(
      secretList,
      ["nezum4kpu3faiec7r7c5zt6tfy"],
      "Tokens of the slash commands in Mattermost, with which their requests are checked; several while one is being changed",
      { secret: true },
    ),
    url: optional(
      baseUrl,
      "https://chat.example.com",
      "Address at which this server reaches Mattermost, to find people by their e-mail addresses and to answer them",
    ),
    bot_token: optional(
      secretText("a text that is not empty"),
      "access token of the bot",
      "Access token of the bot in Mattermost",
      { secret: true },
    ),
  },
  audit: {
    keep_days: setting(integer(0, 36_500), 0, "How many days the audit log is kept; 0 means forever"),
  },
  health: {
    disk_floor_mb: setting(
      integer(0, 1_000_000),
      256,
      "Free megabytes on the database's disk below which /readyz answers 503",
    ),
  },
  metrics: {
    listen: optional(
      hostAndPort,
      "127.0.0.1:9464",
      "Address that serves /metrics for Prometheus, without authentication; off unless set",
    ),
  },
} satisfies Record<string, Record<string, Setting<unknown>>>

/** "section.key" of any setting. */
export type SettingPath = { [S in keyof Settings]: `${S}.${keyof Settings[S] & string}` }[keyof Settings]

type Settings = typeof settings

/** Every setting with its value, deeply frozen. Sections and keys are those of the file. */
export type Config = { readonly [S in keyof Settings]: { readonly [K in keyof Settings[S]]: Value<Settings[S][K]> } }

/** For commands that sign no token: the secret may be missing. */
export type SecretlessConfig = Omit<Config, "security"> & {
  readonly security: Omit<Config["security"], "secret_key"> & { readonly secret_key: string | null }
}

/** A setting with its names in the file, the environment and on the command line. */
export interface Entry {
  readonly section: string
  readonly key: string
  /** "section.key" */
  readonly path: string
  /** REWARDS_SECTION__KEY */
  readonly variable: string
  /** --key */
  readonly flag: string
  readonly setting: Setting<unknown>
}

/** Every setting, in the order of the table. */
export const entries: readonly Entry[] = Object.entries(settings).flatMap(([section, keys]) =>
  Object.entries<Setting<unknown>>(keys).map(([key, setting]) => ({
    section,
    key,
    path: `${section}.${key}`,
    variable: `REWARDS_${section}__${key}`.toUpperCase(),
    flag: `--${setting.flag ?? key.replaceAll("_", "-")}`,
    setting,
  })),
)

/** An `optional` setting is null unless it is set; a `required` one has no default. */
type Presence = "defaulted" | "optional" | "required"

export interface Setting<T, P extends Presence = Presence> {
  readonly kind: Kind<T>
  readonly default: T | null
  readonly presence: P
  /** Shown in the file that `init` writes, in place of a default. */
  readonly example: T | null
  /** One line, without a full stop. */
  readonly meaning: string
  /** The value never appears in a message. */
  readonly secret: boolean
  /** The command-line flag without dashes; null when it is derived from the key. */
  readonly flag: string | null
}

type Extra = Partial<Pick<Setting<unknown>, "secret" | "flag">>

export function setting<T>(kind: Kind<T>, value: NoInfer<T>, meaning: string, extra?: Extra): Setting<T, "defaulted"> {
  return { kind, default: value, presence: "defaulted", example: null, meaning, secret: false, flag: null, ...extra }
}

export function optional<T>(
  kind: Kind<T>,
  example: NoInfer<T>,
  meaning: string,
  extra?: Extra,
): Setting<T, "optional"> {
  return { kind, default: null, presence: "optional", example, meaning, secret: false, flag: null, ...extra }
}

export function required<T>(kind: Kind<T>, meaning: string): Setting<T, "required"> {
  return { kind, default: null, presence: "required", example: null, meaning, secret: true, flag: null }
}

/** The type of a setting's value in the configuration. */
export type Value<S> = S extends Setting<infer T, infer P> ? T | (P extends "optional" ? null : never) : never
