import { net } from "../net/addresses.ts"

/** A PostgreSQL database, as `db.url` names it. */
export interface DatabaseUrl {
  /** At least one. The first that accepts writes is used. */
  readonly hosts: readonly DatabaseHost[]
  readonly user: string
  /** Empty when the server asks for none. */
  readonly password: string
  readonly database: string
  readonly sslMode: SslMode
  /** File of the certificate authorities to trust, in PEM form; null: the system's. */
  readonly sslRootCert: string | null
  readonly connectTimeoutSeconds: number
}

export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

const sslModes = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const
type SslMode = (typeof sslModes)[number]

const defaultPort = 5432
const defaultConnectTimeoutSeconds = 3

/**
 * Parses `postgres://user:password@host:port,host:port/database?parameters`. Accepts only the libpq parameters that
 * change how to reach the database. Undefined for any other parameter or text.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const [, user, password = "", hosts = "", database, query = ""] =
    /^postgres(?:ql)?:\/\/([^\s:@/?#]+)(?::([^\s@/?#]*))?@([^\s@/?#]+)\/([^\s/?#]+)(?:\?([^\s#]*))?$/.exec(text) ?? []
  const parameters = parametersIn(query)
  const parsed = {
    hosts: hosts.split(",").map(hostIn),
    user: decoded(user),
    password: decoded(password),
    database: decoded(database),
  }
  if (!parsed.hosts.every((host) => host !== undefined) || parameters === undefined) return undefined
  if (parsed.user === undefined || parsed.password === undefined || parsed.database === undefined) return undefined
  return {
    ...parsed,
    hosts: parsed.hosts,
    user: parsed.user,
    password: parsed.password,
    database: parsed.database,
    ...parameters,
  }
}

/** The URL without password and parameters, for messages. */
export const shownUrl = ({ hosts, user, database }: DatabaseUrl): string =>
  `postgres://${encodeURIComponent(user)}@${hosts.map(shownHost).join(",")}/${encodeURIComponent(database)}`

export const shownHost = ({ host, port }: DatabaseHost): string => `${host.includes(":") ? `[${host}]` : host}:${port}`

function hostIn(text: string): DatabaseHost | undefined {
  const [, inBrackets, plain, port = String(defaultPort)] =
    /^(?:\[(.+)\]|([\p{L}\p{N}._-]{1,253}))(?::(\d{1,5}))?$/u.exec(text) ?? []
  const host = inBrackets ?? plain
  if (host === undefined || (inBrackets !== undefined && !net().isIPv6(inBrackets))) return undefined
  return Number(port) >= 1 && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined
}

function parametersIn(query: string) {
  const {
    sslmode = "prefer",
    sslrootcert: sslRootCert = null,
    connect_timeout = String(defaultConnectTimeoutSeconds),
    target_session_attrs = "read-write",
    ...others
  } = Object.fromEntries(new URLSearchParams(query))
  const sslMode = sslModes.find((mode) => mode === sslmode)
  const isTimeout = /^\d{1,2}$/.test(connect_timeout) && connect_timeout !== "0"
  // Only a server that accepts writes is of use, so all three values mean the same.
  const wantsWrites = ["read-write", "primary", "any"].includes(target_session_attrs)
  if (sslMode === undefined || !isTimeout || !wantsWrites || Object.keys(others).length > 0) return undefined
  return { sslMode, sslRootCert, connectTimeoutSeconds: Number(connect_timeout) }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
