import { expect, test } from "bun:test"
import { parseDatabaseUrl, shownUrl } from "../../src/config/database-url.ts"
import { databaseUrl } from "../../src/config/kinds.ts"
import { load } from "./support.ts"

const plain = {
  hosts: [{ host: "db.example.com", port: 5432 }],
  user: "rewards",
  password: "",
  database: "rewards",
  sslMode: "prefer",
  sslRootCert: null,
  connectTimeoutSeconds: 3,
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
  "postgres://rewards@db/rewards?options=-csearch_path=x",
  "postgres://rewards@db/rewards#",
  "postgres://rewards@db/re wards",
])("%p is not the URL of a database", (text) => {
  expect(parseDatabaseUrl(text)).toBeUndefined()
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
