import { expect, test } from "bun:test"
import { parseDatabaseUrl, shownUrl } from "../../src/config/database-url.ts"
import { databaseUrl } from "../../src/config/kinds.ts"
import { load, refusal } from "./support.ts"

const plain = {
  hosts: [{ host: "db.example.com", port: 5432 }],
  user: "rewards",
  password: "",
  database: "rewards",
  sslMode: "prefer",
  sslRootCert: null,
  connectTimeoutSeconds: 3,
  applicationName: "rewards",
  options: null,
} as const

test.each([
  ["postgres://rewards@db.example.com/rewards", plain],
  ["postgresql://rewards@db.example.com/rewards", plain],
  ["postgres://rewards:s%40cr%2Ft%3F@db.example.com/rewards", { ...plain, password: "s@cr/t?" }],
  [
    "postgres://a%20b@[::1]:6543/d%C3%BC",
    { ...plain, user: "a b", hosts: [{ host: "::1", port: 6543 }], database: "dü" },
  ],
  [
    "postgres://rewards@one,two:6543,10.0.0.3/rewards?target_session_attrs=read-write",
    {
      ...plain,
      hosts: [
        { host: "one", port: 5432 },
        { host: "two", port: 6543 },
        { host: "10.0.0.3", port: 5432 },
      ],
    },
  ],
  [
    "postgres://rewards@db.example.com/rewards?sslmode=verify-full&sslrootcert=/etc/ca%20s.pem&connect_timeout=10",
    { ...plain, sslMode: "verify-full", sslRootCert: "/etc/ca s.pem", connectTimeoutSeconds: 10 },
  ],
  [
    "postgres://rewards:p@/rewards?host=/cloudsql/project:region:instance&application_name=points",
    {
      ...plain,
      hosts: [{ host: "/cloudsql/project:region:instance", port: 5432 }],
      password: "p",
      applicationName: "points",
    },
  ],
  [
    "postgres://rewards@%2Fvar%2Frun%2Fpostgresql:5433/rewards",
    { ...plain, hosts: [{ host: "/var/run/postgresql", port: 5433 }] },
  ],
  [
    "postgresql:///rewards?host=/run/postgresql&user=rewards&password=p%40",
    { ...plain, hosts: [{ host: "/run/postgresql", port: 5432 }], password: "p@" },
  ],
  [
    "postgres://rewards@db.example.com/rewards?sslmode=require&channel_binding=prefer&options=endpoint%3Dep-cool-rain-1&gssencmode=disable",
    { ...plain, sslMode: "require", options: "endpoint=ep-cool-rain-1" },
  ],
  [
    "postgres://rewards@db.example.com/rewards?options=-c%20search_path%3Dpoints&client_encoding=utf8",
    { ...plain, options: "-c search_path=points" },
  ],
  [
    "postgres://rewards@db.example.com/rewards?sslmode=verify-full&sslrootcert=system&target_session_attrs=any",
    { ...plain, sslMode: "verify-full" },
  ],
] as const)("%s is taken apart", (text, expected) => {
  expect(parseDatabaseUrl(text)).toEqual(expected)
  expect(databaseUrl.check(text, false)).toBe(text)
})

test.each([
  "",
  "rewards.db",
  "mysql://rewards@db/rewards",
  "postgres://db/rewards",
  "postgres://rewards@db",
  "postgres://rewards@db/",
  "postgres://rewards@/rewards",
  "postgres://rewards@db,/rewards",
  "postgres://rewards@db:0/rewards",
  "postgres://rewards@db:65536/rewards",
  "postgres://rewards@[zz]/rewards",
  "postgres://rewards:s@cret@db/rewards",
  "postgres://rewards:50%@db/rewards",
  "postgres://rewards@db/rewards?sslmode=sometimes",
  "postgres://rewards@db/rewards?connect_timeout=0",
  "postgres://rewards@db/rewards?target_session_attrs=standby",
  "postgres://rewards@db/rewards?options=-cstatement_timeout=0",
  "postgres://rewards@/rewards?host=",
  "postgres:///rewards?host=/run",
  "postgres://rewards@db/rewards#",
  "postgres://rewards@db/re wards",
])("%p is not the URL of a database", (text) => {
  expect(parseDatabaseUrl(text)).toBeUndefined()
})

test.each([
  ["channel_binding=require", "a URL whose parameter channel_binding is disable or prefer, since this server cannot"],
  ["sslmode=allow", "a URL whose parameter sslmode is disable or prefer or require or verify-ca or verify-full"],
  ["sslmode=require&pgbouncer=true", "a URL without the parameter pgbouncer: name the server itself instead"],
  ["ssl=true", "a URL without the parameter ssl: write sslmode=require or sslmode=verify-full"],
  ["keepalives=1", "a URL without the parameter keepalives: it has no meaning here"],
  ["host=other", "a URL that gives the host once, not also as a parameter"],
  ["user=other", "a URL that gives the user once, not also as a parameter"],
  ["password=other", "a URL that gives the password once, not also as a parameter"],
  ["toString=1", "a URL without the parameter toString: it has no meaning here"],
  ["options=-c%20fsync%3Doff", "a URL whose parameter options is what a provider needs"],
  ["connect_timeout=0", "a URL whose parameter connect_timeout is 1 to 99 seconds"],
])("the parameter %s is refused by its name, without its value", (query, expected) => {
  const url = `postgres://u:s3cret@127.0.0.1:1/db?${query}`
  const message = refusal({ env: { REWARDS_DB__URL: url } }).join()
  expect(message).toStartWith(`db.url (environment REWARDS_DB__URL): expected ${expected}`)
  expect(message).not.toContain("s3cret")
  expect(message).not.toContain("fsync")
})

test("a plus sign in a parameter is one, as PostgreSQL's own programs read it", () => {
  const url = parseDatabaseUrl("postgres:///db?host=/run/postgresql&user=rewards&password=a+b")
  expect(url?.password).toBe("a+b")
})

test("a piece of a password is not taken for the name of a parameter", () => {
  const message = refusal({ env: { REWARDS_DB__URL: "postgres://u@db/d?s3cret!word" } }).join()
  expect(message).toContain("without the parameter …")
  expect(message).not.toContain("s3cret")
})

test("a URL is shown without its password and parameters", () => {
  const url = parseDatabaseUrl("postgres://a%20b:s3cret@one:1,[::1]:2/d?sslmode=require")
  expect(url && shownUrl(url)).toBe("postgres://a%20b@one:1,[::1]:2/d")
})

test("a URL that is not valid is not quoted, since it may hold a password", () => {
  const failure = () => load({ env: { REWARDS_DB__URL: "postgres://rewards:s3cret@db" } })
  expect(failure).toThrow("db.url (environment REWARDS_DB__URL): expected a URL such as")
  expect(failure).not.toThrow("s3cret")
})
