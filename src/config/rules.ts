import type { SecretlessConfig } from "../config.ts"
import { defaultAdminPassword, type SettingPath, settings } from "./settings.ts"

/** What one setting alone cannot tell. */
export interface Rule {
  /** What it looks at; the first is the one to be changed. */
  readonly about: readonly [SettingPath, ...SettingPath[]]
  readonly expected: string
  readonly broken: (config: SecretlessConfig) => boolean
}

/** What `admin` may have been given when the database was new. */
export const initialPasswords = ({ admin_password }: { readonly admin_password: string }): readonly string[] => [
  admin_password,
  defaultAdminPassword,
]

/** Everything about this configuration that stops the start. */
export function brokenRules(config: SecretlessConfig, needsSecret: boolean): Omit<Rule, "broken">[] {
  return [
    ...(needsSecret && config.security.secret_key === null ? [missingSecret] : []),
    ...together.filter(({ broken }) => broken(config)),
    ...(config.server.profile === "production" ? productionFaults(config) : []),
  ]
}

/**
 * What `server.profile = "production"` refuses, judged from the settings alone, whatever the profile is.
 * Whether the default admin password is in force only the database can tell.
 */
export function productionFaults(config: SecretlessConfig): Rule[] {
  return inProduction.filter(({ broken }) => broken(config))
}

/** The same as warnings, one sentence each. A loaded production configuration has none. */
export function weaknesses(config: SecretlessConfig): string[] {
  return productionFaults(config).map(({ about, expected }) => `${about[0]}: production asks for ${expected}`)
}

/** Whether two settings contradict each other: members see only their own transfers in the feed, and everybody's on the
 *  public stream. */
export const showsWhatFeedHides = ({ stream, recognition }: SecretlessConfig): boolean =>
  recognition.feed === "own" && stream.access === "public"

/** Whether the session cookie carries `Secure`. */
export function cookieIsSecure({ session, server }: Pick<SecretlessConfig, "session" | "server">): boolean {
  return session.secure ?? isHttps(server)
}

/** Whether people reach the service over https, by itself or through a proxy. */
export function isHttps(server: SecretlessConfig["server"]): boolean {
  return (server.base_url ?? listeningUrl(server, server.port)).startsWith("https:")
}

/** Where the server listens, `port` being the one that it took: the address of the service unless server.base_url is. */
export function listeningUrl({ host, tls_cert }: SecretlessConfig["server"], port: number): string {
  return `${tls_cert === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/** Whether only this machine reaches what listens there. */
export const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.")

const missingSecret: Omit<Rule, "broken"> = {
  about: ["security.secret_key"],
  expected: "a secret; `rewards init` writes a rewards.toml with a random one",
}

const together: readonly Rule[] = [
  {
    about: ["server.tls_key", "server.tls_cert"],
    expected: "the file with the certificate's key, since server.tls_cert is set",
    broken: ({ server }) => server.tls_cert !== null && server.tls_key === null,
  },
  {
    about: ["server.tls_cert", "server.tls_key"],
    expected: "the file with the key's certificate, since server.tls_key is set",
    broken: ({ server }) => server.tls_cert === null && server.tls_key !== null,
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
    about: ["email.smtp_password", "email.smtp_user"],
    expected: "a password, since email.smtp_user is set",
    broken: ({ email }) => email.smtp_user !== null && email.smtp_password === null,
  },
  {
    about: ["email.smtp_user", "email.smtp_password"],
    expected: "a user name, since email.smtp_password is set",
    broken: ({ email }) => email.smtp_user === null && email.smtp_password !== null,
  },
]

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
    expected: `at least ${leastPasswordLength}, so that passwords are not guessed`,
    broken: ({ security }) => security.password_min_length < leastPasswordLength,
  },
  {
    about: ["stream.wall_key"],
    expected: "characters of its own, not those of the example; `openssl rand -hex 24` makes some",
    broken: ({ stream }) => stream.wall_key === settings.stream.wall_key.example,
  },
]
