import { makesSuperusers, managementDept } from "../domain/people/roles.ts"
import { isLoopback } from "../net/addresses.ts"
import { splitAddress } from "./kinds.ts"
import { entries, type SecretlessConfig, type SettingPath, settings } from "./settings.ts"
import { wrappingsOf } from "./wrappings.ts"

/** A rule about the whole configuration, beyond the check of each value. */
interface Rule {
  /** The settings that the rule reads; the first is the one to change. */
  readonly about: readonly [SettingPath, ...SettingPath[]]
  readonly expected: string
  readonly broken: (config: SecretlessConfig) => boolean
}

/** Every rule that keeps the server from starting with this configuration. */
export function brokenRules(config: SecretlessConfig, needsSecret: boolean): Omit<Rule, "broken">[] {
  return [
    ...(needsSecret && config.security.secret_key === null ? [missingSecret] : []),
    ...together.filter(({ broken }) => broken(config)),
    ...(config.server.profile === "production" ? productionFaults(config) : []),
  ]
}

/**
 * The rules of production that this configuration breaks, whatever its profile is. The default admin password is not
 * checked here, because only the database knows whether it is still in use.
 */
export function productionFaults(config: SecretlessConfig): Rule[] {
  return inProduction.filter(({ broken }) => broken(config))
}

/** The faults that `productionFaults` finds, as one sentence each. A loaded production configuration has none. */
export function weaknesses(config: SecretlessConfig): string[] {
  return productionFaults(config).map(({ about, expected }) => `${about[0]}: production requires ${expected}`)
}

/** Whether the session cookie has the attribute `Secure`. */
export function cookieIsSecure({ session, server }: Pick<SecretlessConfig, "session" | "server">): boolean {
  return session.secure ?? isHttps(server)
}

/** Whether users reach the service over https, directly or through a proxy. */
export function isHttps(server: SecretlessConfig["server"]): boolean {
  return (server.base_url ?? listeningUrl(server, server.port)).startsWith("https:")
}

/** Whether this server speaks TLS itself. */
export const usesTls = ({ tls_cert, acme_domains }: SecretlessConfig["server"]): boolean =>
  tls_cert !== null || acme_domains.length > 0

/** The port that redirects to https; null when there is none. */
export const httpPortOf = ({ http_port, acme_domains }: SecretlessConfig["server"]): number | null =>
  http_port ?? (acme_domains.length > 0 ? 80 : null)

/** The URL at which the server listens on `port`; the service's address unless server.base_url is set. */
export function listeningUrl(server: SecretlessConfig["server"], port: number): string {
  const { host } = server
  return `${usesTls(server) ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`
}

const missingSecret: Omit<Rule, "broken"> = {
  about: ["security.secret_key"],
  expected: "a secret; `rewards init` writes a rewards.toml with a random one",
}

/** `path` must be set where `other` is. */
const neededWith = (path: SettingPath, other: SettingPath, what: string): Rule => ({
  about: [path, other],
  expected: `${what}, since ${other} is set`,
  broken: (config) => valueAt(config, other) !== null && valueAt(config, path) === null,
})

function valueAt(config: SecretlessConfig, path: SettingPath): unknown {
  const [section = "", key = ""] = path.split(".")
  return Reflect.get(Reflect.get(config, section), key)
}

const together: readonly Rule[] = [
  neededWith("server.tls_key", "server.tls_cert", "the file with the certificate's key"),
  neededWith("server.tls_cert", "server.tls_key", "the file with the key's certificate"),
  {
    about: ["server.tls_cert", "server.acme_domains"],
    expected: "nothing, since the server gets a certificate by itself (server.acme_domains)",
    broken: ({ server }) => server.tls_cert !== null && server.acme_domains.length > 0,
  },
  {
    about: ["server.base_url", "server.acme_domains"],
    expected: "an https address with one of the names in server.acme_domains",
    broken: ({ server }) => server.acme_domains.length > 0 && !isAtOneOf(server.acme_domains, server.base_url),
  },
  {
    about: ["server.base_url", "server.http_port"],
    expected: "the address to which server.http_port redirects",
    broken: ({ server }) => server.http_port !== null && server.base_url === null,
  },
  {
    about: ["server.http_port", "server.tls_cert", "server.acme_domains"],
    expected: "nothing, since this server has no certificate: it speaks plain http on server.port",
    broken: ({ server }) => server.http_port !== null && !usesTls(server),
  },
  {
    about: ["server.http_port", "server.port", "server.acme_domains"],
    expected: "another port, since the service itself listens on this one (server.port)",
    broken: ({ server }) => httpPortOf(server) === server.port,
  },
  neededWith("server.acme_eab_kid", "server.acme_eab_key", "the id of the key"),
  neededWith("server.acme_eab_key", "server.acme_eab_kid", "the key"),
  {
    about: ["metrics.listen", "server.host", "server.port"],
    expected: "another port, since the service itself listens on this one (server.port)",
    broken: ({ metrics, server }) => metrics.listen !== null && meet(splitAddress(metrics.listen), server),
  },
  {
    about: ["session.same_site", "session.secure", "server.base_url"],
    expected: '"lax" or "strict", since browsers take "none" only from a secure cookie (session.secure)',
    broken: (config) => config.session.same_site === "none" && !cookieIsSecure(config),
  },
  {
    about: ["email.smtp_server", "email.debug_mode"],
    expected: "the name of a mail server, since email.debug_mode is false",
    broken: ({ email }) => !email.debug_mode && email.smtp_server === null,
  },
  {
    about: ["email.smtp_password", "email.smtp_user", "email.oauth_token_url"],
    expected: "a password, since email.smtp_user is set and email.oauth_token_url is not",
    broken: ({ email }) => email.smtp_user !== null && email.smtp_password === null && email.oauth_token_url === null,
  },
  neededWith("email.smtp_user", "email.oauth_token_url", "the account that sends"),
  neededWith("email.oauth_client_id", "email.oauth_token_url", "the application at the provider"),
  neededWith("email.oauth_token_url", "email.oauth_client_id", "where the tokens come from"),
  {
    about: ["email.oauth_client_secret", "email.oauth_token_url", "email.oauth_refresh_token"],
    expected: "the secret of the application, since email.oauth_token_url is set and email.oauth_refresh_token is not",
    broken: ({ email: { oauth_token_url: url, oauth_client_secret: secret, oauth_refresh_token: refresh } }) =>
      url !== null && secret === null && refresh === null,
  },
  neededWith("email.smtp_user", "email.smtp_password", "a user name"),
  {
    about: ["login.password", "oidc.issuer"],
    expected: '"all", since people cannot log in otherwise while oidc.issuer is not set',
    broken: ({ login, oidc }) => login.password !== "all" && oidc.issuer === null,
  },
  neededWith("oidc.client_id", "oidc.issuer", "the name of this service at the provider"),
  neededWith("oidc.issuer", "oidc.client_id", "the provider"),
  {
    about: ["oidc.issuer"],
    expected:
      "the issuer of one tenant, https://login.microsoftonline.com/TENANT-ID/v2.0, since any Microsoft account fits this one",
    broken: ({ oidc }) => oidc.issuer !== null && manyTenants.test(oidc.issuer),
  },
  {
    about: ["oidc.default_department"],
    expected: `another department than ${managementDept}, since its members are superusers`,
    broken: ({ oidc }) => makesSuperusers(oidc.default_department),
  },
  {
    about: ["oidc.duty_claim", "oidc.duty_groups"],
    expected: "the claim with the groups, since oidc.duty_groups is set",
    broken: ({ oidc }) => oidc.duty_groups.length > 0 && oidc.duty_claim === null,
  },
  ...(["backup.s3_access_key", "backup.s3_secret_key"] as const).map(
    (path): Rule => ({
      about: [path, "backup.s3_bucket", "backup.s3_credentials_command"],
      expected:
        "the keys of the bucket, since backup.s3_bucket is set; or set backup.s3_credentials_command, which prints them",
      broken: (config) =>
        config.backup.s3_bucket !== null &&
        config.backup.s3_credentials_command === null &&
        valueAt(config, path) === null,
    }),
  ),
  neededWith("backup.s3_access_key", "backup.s3_session_token", "the access key of the session token"),
  {
    about: ["backup.s3_credentials_command", "backup.s3_access_key", "backup.s3_secret_key", "backup.s3_session_token"],
    expected: "nothing, since backup.s3_access_key, backup.s3_secret_key or backup.s3_session_token is set",
    broken: ({ backup }) =>
      backup.s3_credentials_command !== null &&
      (backup.s3_access_key ?? backup.s3_secret_key ?? backup.s3_session_token) !== null,
  },
  neededWith("slack.bot_token", "slack.signing_secret", "the bot token of the Slack app"),
  neededWith("slack.signing_secret", "slack.bot_token", "the signing secret of the Slack app"),
  neededWith("mattermost.bot_token", "mattermost.url", "the access token of the bot"),
  neededWith("mattermost.tokens", "mattermost.bot_token", "the token of the slash command"),
  neededWith("mattermost.url", "mattermost.tokens", "the address of the Mattermost server"),
]

function isAtOneOf(domains: readonly string[], baseUrl: string | null): boolean {
  const { protocol, hostname } = URL.parse(baseUrl ?? "") ?? {}
  return protocol === "https:" && hostname !== undefined && domains.includes(hostname)
}

interface Address {
  readonly host: string
  readonly port: number
}

/** Whether two servers cannot listen on both addresses. Port 0 is any free port. */
const meet = (one: Address, other: Address): boolean =>
  one.port !== 0 &&
  one.port === other.port &&
  (one.host === other.host || [one, other].some(({ host }) => host === "0.0.0.0" || host === "::"))

/**
 * Microsoft's issuers for more than one company. Their tokens name another issuer, and an account of any company would
 * be accepted.
 */
const manyTenants = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i

const leastSecretBytes = 32
const leastPasswordLength = 8

const inProduction: readonly Rule[] = [
  {
    about: ["security.secret_key"],
    expected: `at least ${leastSecretBytes} bytes, so that nobody can guess it`,
    broken: ({ security }) => security.secret_key !== null && Buffer.byteLength(security.secret_key) < leastSecretBytes,
  },
  {
    about: ["email.debug_mode"],
    expected: "false, so that reset tokens are sent instead of written to a file",
    broken: ({ email }) => email.debug_mode,
  },
  {
    about: ["security.password_min_length"],
    expected: `at least ${leastPasswordLength}, so that passwords are hard to guess`,
    broken: ({ security }) => security.password_min_length < leastPasswordLength,
  },
  {
    about: ["server.base_url", "oidc.issuer"],
    expected: "the address under which users reach the service, since the provider sends them back there (oidc.issuer)",
    broken: ({ server, oidc }) => oidc.issuer !== null && server.base_url === null,
  },
  {
    about: ["stream.wall_key"],
    expected: "a random key instead of the example; `openssl rand -hex 24` makes one",
    broken: ({ stream }) => stream.wall_key === settings.stream.wall_key.example,
  },
]

/** A valid setting that makes the service less safe than it could be. */
interface Caution {
  readonly about: SettingPath
  readonly problem: string
  readonly cure: string
  /** Every start logs it, because one setting does not do what another one promises. */
  readonly isLogged?: true
}

/** Every setting that weakens the service. Contains no secret value. */
export function cautions(config: SecretlessConfig): Caution[] {
  const production = productionFaults(config).map(({ about: [about], expected }) => ({
    about,
    problem: "production refuses to start with it",
    cure: `set ${expected}`,
  }))
  return [
    ...production,
    ...weak.filter(({ applies }) => applies(config)).map(({ applies: _, ...caution }) => caution),
    ...wrapped(config),
  ]
}

/** Texts with something around them. */
function wrapped(config: SecretlessConfig): Caution[] {
  return entries.flatMap(({ path, section, key }) => {
    const value: unknown = Reflect.get(Reflect.get(config, section), key)
    const found = [value].flat().flatMap((text) => (typeof text === "string" ? wrappingsOf(text) : []))
    return [...new Set(found)].map(({ problem, cure }) => ({
      about: path as SettingPath,
      problem,
      cure,
      isLogged: true,
    }))
  })
}

const { security, limits } = settings

const weak: readonly (Caution & { readonly applies: (config: SecretlessConfig) => boolean })[] = [
  {
    about: "server.profile",
    problem: "the development profile starts with unsafe settings",
    cure: 'set "production"',
    applies: ({ server }) => server.profile === "development",
  },
  {
    about: "server.base_url",
    problem: "passwords and tokens are sent unencrypted",
    cure: "serve over https: behind a proxy, with server.acme_domains, or with server.tls_cert",
    applies: ({ server }) =>
      server.base_url === null ? !isLoopback(server.host) && !usesTls(server) : isPlain(server.base_url),
  },
  {
    about: "server.trusted_proxies",
    problem: "all clients share the address of the https proxy, so that they share one limit on failed logins",
    cure: "add the address of the proxy",
    applies: ({ server }) =>
      server.base_url !== null && !isPlain(server.base_url) && !usesTls(server) && !server.trusted_proxies.length,
  },
  {
    about: "server.trusted_proxies",
    problem: "any client can forge its address",
    cure: "list only the addresses of proxies",
    applies: ({ server }) => server.trusted_proxies.some((range) => range.endsWith("/0")),
  },
  {
    about: "backup.every_hours",
    problem: "the server makes no backups of PostgreSQL",
    cure: "remove it, and back up PostgreSQL itself, as with pg_dump",
    isLogged: true,
    applies: ({ backup, db }) => backup.every_hours > 0 && db.url !== null,
  },
  {
    about: "backup.s3_bucket",
    problem: "nothing is copied there by itself, because the server makes no backups of its own",
    cure: "set backup.every_hours to 24",
    isLogged: true,
    applies: ({ backup }) => backup.s3_bucket !== null && backup.every_hours === 0,
  },
  {
    about: "backup.passphrase",
    problem: "whoever can read the bucket can read the backups in it, because they are not encrypted",
    cure: "set it, and keep it elsewhere too",
    applies: ({ backup }) => backup.s3_bucket !== null && backup.passphrase === null,
  },
  {
    about: "backup.s3_endpoint",
    problem: "unencrypted backups go over an unencrypted connection",
    cure: "use an https address, or set backup.passphrase",
    isLogged: true,
    applies: ({ backup }) =>
      backup.s3_endpoint !== null &&
      isPlain(backup.s3_endpoint) &&
      backup.passphrase === null &&
      !isLoopback(new URL(backup.s3_endpoint).hostname),
  },
  {
    about: "backup.s3_endpoint",
    problem: "it seems to have the name of the bucket, which this server adds",
    cure: "leave the bucket out: https://s3.example.com instead of https://BUCKET.s3.example.com or https://s3.example.com/BUCKET",
    isLogged: true,
    applies: ({ backup }) => backup.s3_bucket !== null && namesBucket(backup.s3_endpoint, backup.s3_bucket),
  },
  {
    about: "stream.access",
    problem: 'the stream shows every transfer to anybody, although recognition.feed is "own"',
    cure: 'set "auth"',
    isLogged: true,
    applies: ({ stream, recognition }) => recognition.feed === "own" && stream.access === "public",
  },
  {
    about: "stream.wall_key",
    problem: 'the wall shows every transfer, although recognition.feed is "own"',
    cure: "remove it",
    applies: ({ stream, recognition }) => recognition.feed === "own" && stream.wall_key !== null,
  },
  {
    about: "metrics.listen",
    problem: "anybody who can reach this address can read the metrics",
    cure: "listen on an address that only Prometheus can reach",
    applies: ({ metrics }) => metrics.listen !== null && !isLoopback(splitAddress(metrics.listen).host),
  },
  {
    about: "oidc.trust_email",
    problem: "whoever can choose their own address at the provider can log in to the account that has it",
    cure: "remove it, unless only administrators set addresses there",
    isLogged: true,
    applies: ({ oidc }) => oidc.trust_email,
  },
  {
    about: "session.secure",
    problem: "browsers also send the session cookie over unencrypted connections",
    cure: "remove it",
    applies: ({ session, server }) =>
      session.secure === false && cookieIsSecure({ session: { ...session, secure: null }, server }),
  },
  {
    about: "session.same_site",
    problem: "browsers send the session cookie with requests from other sites",
    cure: 'set "lax"',
    applies: ({ session }) => session.same_site === "none",
  },
  {
    about: "security.bcrypt_cost",
    problem: "stolen password hashes can be cracked faster",
    cure: `set at least ${security.bcrypt_cost.default}`,
    applies: (config) => config.security.bcrypt_cost < (security.bcrypt_cost.default ?? 0),
  },
  {
    about: "limits.login_failures",
    problem: "passwords can be guessed faster",
    cure: `set at most ${limits.login_failures.default}`,
    applies: (config) => config.limits.login_failures > (limits.login_failures.default ?? 0),
  },
]

/** How long a session lasts that the provider opens. */
export const providedSessionSeconds = ({ oidc, session }: Pick<SecretlessConfig, "oidc" | "session">): number =>
  Math.min(session.expire_seconds, (oidc.session_hours ?? Number.POSITIVE_INFINITY) * 3600)

/** Whether the endpoint has the name of the bucket, as its first label or its last folder. */
export function namesBucket(endpoint: string | null, bucket: string): boolean {
  const { hostname, pathname } = URL.parse(endpoint ?? "") ?? {}
  return hostname?.startsWith(`${bucket}.`) === true || pathname?.replace(/\/+$/, "").endsWith(`/${bucket}`) === true
}

const isPlain = (url: string): boolean => url.startsWith("http:")
