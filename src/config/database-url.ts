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
  /** The name of this service among the sessions of the server. */
  readonly applicationName: string
  /** Options for the server's command line, such as the branch at a provider; null: none. */
  readonly options: string | null
}

/** A host, or the folder of a Unix socket, which begins with a slash. */
export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

const sslModes = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const
type SslMode = (typeof sslModes)[number]

const defaultPort = 5432
const defaultConnectTimeoutSeconds = 3

/** What a URL looks like. */
export const databaseUrlForm =
  'a URL such as "postgres://rewards:password@db.example.com/rewards", with percent-encoded parts; several hosts are separated by ' +
  'commas, and the folder of a Unix socket is "?host=/run/postgresql"'

/**
 * Takes `postgres://user:password@host:port,host:port/database?parameters` apart, with libpq's parameters. Those that change
 * nothing here are accepted, the others refused by name: nobody should believe that they have an effect. Otherwise returns what
 * was expected, which never quotes a value.
 */
export function readDatabaseUrl(text: string): DatabaseUrl | { readonly expected: string } {
  const [, user, password, hosts = "", database, query = ""] =
    /^postgres(?:ql)?:\/\/(?:([^\s:@/?#]+)(?::([^\s@/?#]*))?@)?([^\s@/?#]*)\/([^\s/?#]+)(?:\?([^\s#]*))?$/.exec(text) ??
    []
  const given = Object.fromEntries(new URLSearchParams(query.replaceAll("+", "%2B"))) // in a form alone it is a blank
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (check === undefined) {
      const cure = Object.hasOwn(refused, name) ? refused[name] : "it has no meaning here; leave it out"
      return { expected: `a URL without the parameter ${shownName(name)}: ${cure}` }
    }
    const expected = check(value)
    if (expected !== undefined) return { expected: `a URL whose parameter ${name} is ${expected}` }
  }
  const twice = [hosts && "host", user && "user", password && "password"].find((name) => name && name in given)
  if (twice !== undefined) return { expected: `a URL that gives the ${twice} once, not also as a parameter` }
  const parsed = {
    hosts: (hosts === "" ? (given.host ?? "") : hosts).split(",").map((host) => hostIn(host, given.port)),
    user: given.user ?? decoded(user),
    password: given.password ?? decoded(password ?? ""),
    database: decoded(database),
  }
  if (!parsed.hosts.every((host) => host !== undefined)) return { expected: databaseUrlForm }
  if (!parsed.user || parsed.password === undefined || parsed.database === undefined)
    return { expected: databaseUrlForm }
  return {
    hosts: parsed.hosts,
    user: parsed.user,
    password: parsed.password,
    database: parsed.database,
    sslMode: (given.sslmode as SslMode | undefined) ?? "prefer",
    // libpq's name for the system's authorities.
    sslRootCert: given.sslrootcert === undefined || given.sslrootcert === "system" ? null : given.sslrootcert,
    connectTimeoutSeconds: Number(given.connect_timeout ?? defaultConnectTimeoutSeconds),
    applicationName: given.application_name ?? "rewards",
    options: given.options ?? null,
  }
}

/** Undefined for a text that is not the URL of a database. */
export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const url = readDatabaseUrl(text)
  return "expected" in url ? undefined : url
}

/** The parameters that are accepted. Each returns what is expected instead of a value that does not fit. */
const parameters: Readonly<Record<string, (value: string) => string | undefined>> = {
  sslmode: oneOf(...sslModes),
  sslrootcert: (value) => (value === "" ? "a file, or system" : undefined),
  connect_timeout: (value) => (/^[1-9]\d?$/.test(value) ? undefined : "1 to 99 seconds"),
  // Only a server that accepts writes is of use, so all three values mean the same.
  target_session_attrs: oneOf("read-write", "primary", "any"),
  application_name: (value) => (/^[\x20-\x7E]{1,63}$/.test(value) ? undefined : "1 to 63 plain characters"),
  fallback_application_name: () => undefined,
  host: () => undefined,
  port: () => undefined,
  user: () => undefined,
  password: () => undefined,
  client_encoding: (value) => (/^(utf-?8|auto)$/i.test(value) ? undefined : "UTF8"),
  gssencmode: oneOf("disable", "prefer"),
  load_balance_hosts: oneOf("disable"),
  sslnegotiation: oneOf("postgres"),
  sslcompression: oneOf("0"),
  channel_binding: (value) =>
    ["disable", "prefer"].includes(value)
      ? undefined
      : "disable or prefer, since this server cannot bind channels; sslmode=verify-full proves who answers",
  options: (value) =>
    isSafeOption(value)
      ? undefined
      : 'what a provider needs ("endpoint=NAME", "project=NAME") or "-c search_path=SCHEMA"; the rest this server sets itself',
}

/** Parameters of other clients and of providers' panels, with what to do instead. */
const refused: Readonly<Record<string, string>> = {
  ssl: "write sslmode=require or sslmode=verify-full",
  pgbouncer: "name the server itself instead of its pooler, and leave this out",
  connection_limit: "leave it out, and set db.pool_size",
  pool_timeout: "leave it out, and set connect_timeout",
  schema: 'leave it out, or write "options=-c search_path=SCHEMA", percent-encoded',
  sslcert: "log-in by certificate is not supported; use a password",
  sslkey: "log-in by certificate is not supported; use a password",
}

/** A name of a schema or of a provider's branch; more could change what this server relies on. */
const isSafeOption = (value: string): boolean =>
  /^(endpoint|project)=[A-Za-z0-9-]{1,100}$/.test(value) ||
  /^(-c ?|--)search_path=[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(value)

function oneOf(...values: readonly string[]) {
  return (value: string) => (values.includes(value) ? undefined : values.join(" or "))
}

/** The URL without password and parameters, for messages. */
export const shownUrl = ({ hosts, user, database }: DatabaseUrl): string =>
  `postgres://${encodeURIComponent(user)}@${hosts.map(shownHost).join(",")}/${encodeURIComponent(database)}`

export function shownHost({ host, port }: DatabaseHost): string {
  if (isSocket(host)) return `${encodeURIComponent(host)}:${port}`
  return `${host.includes(":") ? `[${host}]` : host}:${port}`
}

export const isSocket = (host: string): boolean => host.startsWith("/")

/** A parameter's name may hold a piece of a password with a question mark. */
const shownName = (name: string): string => (/^[a-z_]{1,40}$/i.test(name) ? name : "…")

/** `text` is a host with an optional port, or the folder of a socket: percent-encoded in place of a host, plain in a parameter. */
function hostIn(text: string, usualPort = String(defaultPort)): DatabaseHost | undefined {
  const [, folder, inBrackets, plain, ownPort] =
    /^(?:(%2F[^:]*)|\[(.+)\]|([\p{L}\p{N}._-]{1,253}))(?::(\d{1,5}))?$/iu.exec(text) ?? []
  const host = text.startsWith("/") ? text : (decoded(folder) ?? inBrackets ?? plain)
  const port = Number(ownPort ?? usualPort)
  if (host === undefined || (inBrackets !== undefined && !net().isIPv6(inBrackets))) return undefined
  return port >= 1 && port <= 65_535 ? { host, port } : undefined
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
