import {
  addressKey,
  addressRanges,
  avatarHosts,
  baseUrl,
  boolean,
  choice,
  emailAddress,
  host,
  hostAndPort,
  integer,
  number,
  origins,
  resetUrl,
  secretText,
  text,
  words,
} from "./kinds.ts"
import { optional, required, type Setting, setting } from "./setting.ts"

/** What the migration gives `admin` when nothing else is configured. Production refuses to run with it. */
export const defaultAdminPassword = "admin"

const tenYears = { minutes: 5_256_000, seconds: 315_360_000 }
const lifetimeMinutes = integer(1, tenYears.minutes)
const filePath = text("a path of a file")
const folderPath = text("a path of a folder")

/**
 * Every setting, once: the file, the environment, flags, the file that `rewards init` writes and docs/settings.md
 * come from here. Section, then key, then what it takes, its default and its meaning.
 */
export const settings = {
  server: {
    host: setting(host, "127.0.0.1", "Address to listen on"),
    port: setting(integer(0, 65_535), 8000, "Port to listen on; 0 takes a free one"),
    base_url: optional(
      baseUrl,
      "https://rewards.example.com",
      "Address of the service for its users, when a proxy serves it",
    ),
    trusted_proxies: setting(addressRanges, [], "Proxies whose word on a client's address is taken"),
    tls_cert: optional(
      filePath,
      "/etc/rewards/cert.pem",
      "Certificate in PEM form, with its chain behind it; with it this server speaks TLS itself",
    ),
    tls_key: optional(filePath, "/etc/rewards/key.pem", "Private key of tls_cert in PEM form, without a passphrase"),
    profile: setting(
      choice("development", "production"),
      "development",
      "In production, unsafe settings stop the start",
    ),
  },
  service: {
    name: setting(text("1 to 100 characters", 100), "Rewards", "Name of the service in e-mail and in the browser"),
  },
  db: {
    path: setting(filePath, "rewards.db", "The database file", { flag: "db" }),
    verify_mb: setting(
      integer(0, 1_000_000),
      4,
      "Megabytes up to which the database is verified before it is served; 0 never",
    ),
  },
  backup: {
    every_hours: setting(integer(0, 8760), 0, "How often a running server backs up the database; 0 never"),
    keep: setting(integer(1, 10_000), 14, "How many of these backups stay"),
    dir: setting(folderPath, "backups", "Folder of the backups; unless absolute, it begins beside the database"),
  },
  security: {
    secret_key: required(
      secretText("a text that is not empty"),
      "Key that signs every token; whoever has it is anybody",
    ),
    algorithm: setting(choice("HS256"), "HS256", "How tokens are signed"),
    access_token_expire_minutes: setting(lifetimeMinutes, 30, "Lifetime of an access token"),
    refresh_token_expire_minutes: setting(lifetimeMinutes, 600, "Lifetime of a refresh token"),
    reset_token_expire_minutes: setting(lifetimeMinutes, 10, "Lifetime of a password-reset token"),
    pwd_reset_url: setting(resetUrl, "{base_url}/reset-password", "Page that the reset e-mail links to"),
    bcrypt_cost: setting(
      integer(10, 15, { underTest: 4 }),
      12,
      "Cost of a password hash; one more takes twice the time",
    ),
    password_min_length: setting(integer(1, 1024), 1, "Least length of a new password"),
    admin_password: setting(
      secretText("1 to 1024 bytes", 1024),
      defaultAdminPassword,
      "First password of admin, used when the database is new",
      { secret: true },
    ),
  },
  session: {
    expire_seconds: setting(integer(1, tenYears.seconds), 604_800, "Lifetime of a cookie session"),
    same_site: setting(choice("lax", "strict", "none"), "lax", "SameSite of the session cookie"),
    secure: optional(boolean, true, "Secure of the session cookie; unless set, true where the service is https"),
  },
  cors: {
    origins: setting(origins, [], "Other sites whose pages may call this service with credentials"),
  },
  email: {
    debug_mode: setting(boolean, true, "Append e-mail to debug_file instead of sending it"),
    debug_file: setting(filePath, "email.log", "Where e-mail goes in debug mode"),
    debug_delay_seconds: setting(number(0, 3600), 3, "How long debug mode takes for an e-mail"),
    smtp_server: optional(host, "smtp.example.com", "Mail server; needed when debug_mode is false"),
    smtp_port: setting(integer(1, 65_535), 465, "Port of the mail server; 587 begins with STARTTLS, others with TLS"),
    smtp_user: optional(text("a text that is not empty"), "rewards", "User name at the mail server"),
    smtp_password: optional(secretText("a text that is not empty"), "change me", "Password at the mail server", {
      secret: true,
    }),
    smtp_ca: optional(
      filePath,
      "/etc/rewards/mail-ca.pem",
      "Certificate authorities in PEM form that the mail server's certificate must come from, instead of the system's",
    ),
    smtp_sender: setting(emailAddress, "no-reply@localhost", "Sender of the e-mail"),
  },
  jobs: {
    result_ttl_seconds: setting(integer(0, tenYears.seconds), 500, "How long a completed job is kept"),
    max_attempts: setting(
      integer(1, 100),
      10,
      "How often a job is tried that fails for no known reason or ends the process; mail is tried as long as it is of use",
    ),
    lease_seconds: setting(integer(5, 3600), 60, "How long a worker may hold a job before another takes it"),
  },
  stream: {
    access: setting(choice("public", "auth"), "public", "Who may watch the transaction stream: anybody, or users"),
    wall_key: optional(
      addressKey,
      "24-random-characters-at-least",
      "Lets a television at /wall#key=... watch without a log-in, where the stream is for users",
      { secret: true },
    ),
    poll_interval_seconds: setting(number(0.05, 60), 1, "How often the stream looks for other processes' transactions"),
  },
  directory: {
    access: setting(
      choice("public", "auth"),
      "public",
      "Who may read the directory of users at GET /user/: anybody, or users",
    ),
  },
  recognition: {
    tags: setting(words, [], "Words that a sender may give to a transfer, such as the values of the company"),
    feed: setting(
      choice("all", "own"),
      "all",
      "What members see of each other: all transfers, or only their own; superusers see all",
    ),
  },
  ui: {
    avatar_hosts: setting(avatarHosts, ["*"], "Hosts whose pictures the browser app shows, besides this server's own"),
  },
  limits: {
    login_failures: setting(
      integer(1, 1_000_000),
      10,
      "Failed logins for one account from one address in 5 minutes before both must wait",
    ),
    transfers_per_minute: setting(
      integer(0, 1_000_000),
      120,
      "Requests of one regular user that send points, in a minute; 0 is no limit",
    ),
    reset_mails: setting(integer(1, 1_000_000), 10, "Reset mails to one address in 15 minutes"),
    idle_seconds: setting(integer(5, 255), 60, "How long a request may take to arrive whole"),
    streams: setting(integer(1, 1_000_000), 256, "Open streams from one other machine"),
    body_bytes: setting(integer(1024, 67_108_864), 65_536, "Largest request body"),
  },
  audit: {
    keep_days: setting(integer(0, 36_500), 0, "How many days the audit trail goes back; 0 is forever"),
  },
  health: {
    disk_floor_mb: setting(
      integer(0, 1_000_000),
      256,
      "Free megabytes on the database's disk below which /readyz is 503",
    ),
  },
  metrics: {
    listen: optional(
      hostAndPort,
      "127.0.0.1:9464",
      "Address at which /metrics is served for Prometheus, to everybody who reaches it; unless set, nowhere",
    ),
  },
} satisfies Record<string, Record<string, Setting<unknown>>>

/** "section.key" of every setting. */
export type SettingPath = { [S in keyof Settings]: `${S}.${keyof Settings[S] & string}` }[keyof Settings]

type Settings = typeof settings

/** A setting with its names. */
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

/** The table in its order, one entry a setting. */
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
