import type { SecretlessConfig } from "../config.ts"
import { splitAddress } from "./kinds.ts"
import { cookieIsSecure, isLoopback, productionFaults, showsWhatFeedHides } from "./rules.ts"
import { type SettingPath, settings } from "./settings.ts"

/** A setting that may be as it is and makes the service less safe than it could be. */
export interface Caution {
  readonly about: SettingPath
  readonly problem: string
  readonly cure: string
}

/** Everything about these settings that weakens the service, without any value that is secret. */
export function cautions(config: SecretlessConfig): Caution[] {
  const production = productionFaults(config).map(({ about: [about], expected }) => ({
    about,
    problem: "production refuses to start with it",
    cure: `set ${expected}`,
  }))
  return [...production, ...weak.filter(({ applies }) => applies(config)).map(({ applies: _, ...caution }) => caution)]
}

const { security, limits } = settings

const weak: readonly (Caution & { readonly applies: (config: SecretlessConfig) => boolean })[] = [
  {
    about: "server.profile",
    problem: "in development nothing unsafe stops the start",
    cure: 'set "production"',
    applies: ({ server }) => server.profile === "development",
  },
  {
    about: "server.base_url",
    problem: "passwords and tokens travel in the clear",
    cure: "serve over https: behind a proxy, or with server.tls_cert",
    applies: ({ server }) =>
      server.base_url === null ? !isLoopback(server.host) && server.tls_cert === null : isPlain(server.base_url),
  },
  {
    about: "server.trusted_proxies",
    problem: "every client counts as the proxy that serves https, in the limit of failed logins too",
    cure: "name the address of the proxy",
    applies: ({ server }) =>
      server.base_url !== null &&
      !isPlain(server.base_url) &&
      server.tls_cert === null &&
      !server.trusted_proxies.length,
  },
  {
    about: "server.trusted_proxies",
    problem: "anybody may claim to be another client",
    cure: "name the addresses of proxies alone",
    applies: ({ server }) => server.trusted_proxies.some((range) => range.endsWith("/0")),
  },
  {
    about: "stream.access",
    problem: 'everybody sees every transfer there, although recognition.feed is "own"',
    cure: 'set "auth"',
    applies: showsWhatFeedHides,
  },
  {
    about: "stream.wall_key",
    problem: 'the wall shows everybody\'s transfers, although recognition.feed is "own"',
    cure: "leave it out",
    applies: ({ stream, recognition }) => recognition.feed === "own" && stream.wall_key !== null,
  },
  {
    about: "metrics.listen",
    problem: "the metrics are told to everybody who reaches it",
    cure: "listen on an address that Prometheus alone reaches",
    applies: ({ metrics }) => metrics.listen !== null && !isLoopback(splitAddress(metrics.listen).host),
  },
  {
    about: "session.secure",
    problem: "browsers send the session cookie in the clear, too",
    cure: "leave it out",
    applies: ({ session, server }) =>
      session.secure === false && cookieIsSecure({ session: { ...session, secure: null }, server }),
  },
  {
    about: "session.same_site",
    problem: "browsers send the session cookie along with requests that other sites make up",
    cure: 'set "lax"',
    applies: ({ session }) => session.same_site === "none",
  },
  {
    about: "security.bcrypt_cost",
    problem: "stolen hashes of passwords are guessed faster",
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

const isPlain = (url: string): boolean => url.startsWith("http:")
