import { afterAll, expect, test } from "bun:test"
import { chmodSync } from "node:fs"
import { join } from "node:path"
import { SQL } from "bun"
import { parseDatabaseUrl } from "../../../../src/config/database-url.ts"
import { DatabaseUnusable } from "../../../../src/storage/open-store.ts"
import { migrations } from "../../../../src/storage/postgres/database/migrations.ts"
import { openDatabase } from "../../../../src/storage/postgres/database/open.ts"
import { createLog } from "../../../../src/support/log.ts"
import { createAuthority } from "../../../support/authority.ts"
import { temporaryFolder } from "../../../support/executable.ts"
import { freePort } from "../../../support/free-port.ts"
import { administer, type Cluster, cluster, startCluster, testDatabase } from "../../../support/postgres.ts"
import { startTcpProxy } from "../../../support/tcp-proxy.ts"

const secret = "s3cret pass/word"
const member = `member:${encodeURIComponent(secret)}`
const { host, port, url } = await cluster()
await administer(`CREATE ROLE member LOGIN PASSWORD '${secret}'`)

async function opening(text: string) {
  const parsed = parseDatabaseUrl(text)
  if (parsed === undefined) throw new Error(`not a database URL: ${text}`)
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  const { client, migrated } = await openDatabase({ url: parsed, poolSize: 2, now: 1, log, onMigrating: () => {} })
  await client.close()
  return migrated
}

/** Why a database cannot be used, and nothing of the password. */
async function reasonAgainst(text: string): Promise<string> {
  const error = await opening(text).catch((error: unknown) => error)
  if (!(error instanceof DatabaseUnusable)) throw error
  expect(`${error.message} ${error.stack}`).not.toContain("s3cret")
  return error.message
}

test("if no server answers, the error says what to check", async () => {
  expect(await reasonAgainst(`postgres://${member}@127.0.0.1:${freePort()}/rewards`)).toBe(
    "no PostgreSQL server answers; check that it runs, host and port in db.url, and firewalls",
  )
})

test("a wrong password and an unknown user are reported with the user's name", async () => {
  for (const name of ["member", "nobody"])
    expect(await reasonAgainst(url("postgres", `${name}:s3cret-and-wrong`))).toBe(
      `the server refuses the password of ${name}; check user and password in db.url`,
    )
})

test("a missing database is reported with the statement that creates it", async () => {
  expect(await reasonAgainst(url("missing", member))).toBe(
    'the server has no database missing; create it: CREATE DATABASE "missing" OWNER "member", or correct its name in db.url',
  )
})

const cureOfRights = (name: string) =>
  `; make it the owner of the database, or run: GRANT CONNECT ON DATABASE "${name}" TO "member"; ` +
  'GRANT CREATE, USAGE ON SCHEMA public TO "member"'

test("a user without the right to connect or to create tables is reported with the needed GRANT", async () => {
  await using database = await testDatabase()
  expect(await reasonAgainst(url(database.name, member))).toBe(
    `the user member in db.url lacks a right: permission denied for schema public${cureOfRights(database.name)}`,
  )
  await administer(`REVOKE CONNECT ON DATABASE ${database.name} FROM public`)
  expect(await reasonAgainst(url(database.name, member))).toBe(
    `the user member in db.url lacks a right: permission denied for database "${database.name}"${cureOfRights(database.name)}`,
  )
  await administer(`ALTER DATABASE ${database.name} OWNER TO member`)
  expect(await opening(url(database.name, member))).toEqual(migrations.map(({ tag }) => tag))
})

test("a user who may not read the tables or use the schema is reported with the cure", async () => {
  await using database = await testDatabase()
  await opening(database.url)
  expect(await reasonAgainst(url(database.name, member))).toBe(
    'the user member in db.url may not read the table access_changes; make it the owner of all tables: REASSIGN OWNED BY … TO "member"',
  )
  await administer("REVOKE USAGE ON SCHEMA public FROM public", database.name)
  expect(await reasonAgainst(url(database.name, member))).toBe(
    "the search_path of the user member in db.url names no schema that it may use; create the schema public, or run: " +
      'GRANT CREATE, USAGE ON SCHEMA public TO "member"',
  )
})

test("a server that is not PostgreSQL is reported as unreachable", async () => {
  const web = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() })
  expect(await reasonAgainst(`postgres://${member}@127.0.0.1:${web.port}/rewards`)).toMatch(
    /^it cannot be reached: .+; check host, port, sslmode and sslrootcert in db\.url$/,
  )
  await web.stop(true)
})

test("an encoding other than UTF-8 is refused with the cure", async () => {
  const latin = "ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0"
  await using database = await testDatabase(latin)
  expect(await reasonAgainst(database.url)).toBe(
    "its encoding is LATIN1; create the database with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
  )
})

test("a server that accepts no writes is refused", async () => {
  await using database = await testDatabase()
  await administer(`ALTER DATABASE ${database.name} SET default_transaction_read_only = on`)
  expect(await reasonAgainst(database.url)).toBe("no server of db.url accepts writes; name the primary there")
})

test("a server without a free connection is reported with the settings to change", async () => {
  await using database = await testDatabase("CONNECTION LIMIT 0")
  await administer(`ALTER DATABASE ${database.name} OWNER TO member`)
  expect(await reasonAgainst(url(database.name, member))).toBe(
    "the server has no connection left; raise its max_connections, or lower db.pool_size of each process",
  )
})

// What no server of today does, a proxy says in its place.
test.each([
  ["an old version", "180004", "130004", /^it runs PostgreSQL .+; upgrade it to version 14 or newer$/],
  [
    "a pooler that drops the settings of the session",
    // With its length before it, as in a row: the bytes of the log-in are random and may hold "4s".
    "\0\0\0\x024s",
    "\0\0\0\x020s",
    /^a pooler such as PgBouncer stands before the server/,
  ],
])("%s", async (_, said, instead, reason) => {
  await using database = await testDatabase()
  await using proxy = await startTcpProxy({ host, port })
  proxy.onReceived = (bytes) => Buffer.from(bytes.toString("latin1").replaceAll(said, instead), "latin1")
  expect(await reasonAgainst(database.url.replace(`:${port}/`, `:${proxy.port}/`))).toMatch(reason)
})

test("a pooler that refuses the session's settings is reported as a pooler", async () => {
  const refusal = "SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0"
  const answer = Buffer.concat([Buffer.from("E"), Buffer.alloc(4), Buffer.from(refusal)])
  answer.writeInt32BE(answer.length - 1, 1)
  // The first message asks for TLS.
  const pooler = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket, bytes) => void socket.write(bytes.length === 8 ? "N" : answer) },
  })
  expect(await reasonAgainst(`postgres://${member}@127.0.0.1:${pooler.port}/rewards`)).toMatch(
    /^a pooler such as PgBouncer stands before the server/,
  )
  pooler.stop(true)
})

let secure: Cluster | undefined
afterAll(() => secure?.stop())

test("sslmode is obeyed, and the certificate is checked against the given authority", async () => {
  const authority = await createAuthority()
  await using folder = await temporaryFolder()
  const ca = join(folder.path, "ca.pem")
  await Bun.write(ca, authority.pem)
  const { key, cert } = await authority.issue(["localhost"])
  const files = { "key.pem": key, "cert.pem": cert }
  secure = await startCluster({ ssl: "on", ssl_key_file: "../key.pem", ssl_cert_file: "../cert.pem" }, files)
  const own = secure.url("postgres")
  const at = (name: string, parameters: string) => `${own.replace("127.0.0.1", name)}?${parameters}`

  expect(await opening(at("localhost", `sslmode=verify-full&sslrootcert=${ca}`))).toEqual(
    migrations.map(({ tag }) => tag),
  )
  for (const parameters of [
    "sslmode=disable",
    "sslmode=prefer",
    "sslmode=require",
    `sslmode=verify-ca&sslrootcert=${ca}`,
  ])
    expect(await opening(at("127.0.0.1", parameters))).toEqual([])
  expect(await reasonAgainst(at("localhost", "sslmode=verify-full"))).toBe(
    "it cannot be reached: its certificate was issued by an authority that is not trusted; " +
      "check host, port, sslmode and sslrootcert in db.url",
  )
  expect(await reasonAgainst(at("127.0.0.1", `sslmode=verify-full&sslrootcert=${ca}`))).toBe(
    "it cannot be reached: its certificate is for another name; check host, port, sslmode and sslrootcert in db.url",
  )
  expect(await reasonAgainst(at("localhost", `sslmode=verify-full&sslrootcert=${ca}.missing`))).toBe(
    "the file of sslrootcert in db.url: there is no such file",
  )
})

test("a server without TLS is refused if the URL requires TLS", async () => {
  expect(await reasonAgainst(`${url("postgres")}?sslmode=require`)).toBe(
    "the server offers no TLS; turn it on there, or write sslmode=disable in db.url instead of require",
  )
})

test("a Unix socket works, by its folder in the parameter host or in place of the host, whatever sslmode says", async () => {
  await using folder = await temporaryFolder()
  chmodSync(folder.path, 0o777) // for PostgreSQL, which root starts as another user
  const own = await startCluster({ unix_socket_directories: folder.path })
  try {
    const { username, password } = new URL(own.url("postgres"))
    for (const text of [
      `postgres://${username}:${password}@/postgres?host=${folder.path}&port=${own.port}`,
      `postgres://${username}:${password}@${encodeURIComponent(folder.path)}:${own.port}/postgres?sslmode=require`,
    ])
      await opening(text)
    const missing = `postgres://${username}:${password}@/postgres?host=${folder.path}/nothing`
    expect(await reasonAgainst(missing)).toStartWith("no PostgreSQL server answers")
  } finally {
    await own.stop()
  }
})

test("application_name and a schema in options reach the server", async () => {
  await using database = await testDatabase()
  await administer("CREATE SCHEMA points", database.name)
  const parsed = parseDatabaseUrl(`${database.url}?application_name=thanks&options=-c%20search_path%3Dpoints`)
  if (parsed === undefined) throw new Error("not a database URL")
  const log = createLog(() => {})
  const { client } = await openDatabase({ url: parsed, poolSize: 2, now: 1, log, onMigrating: () => {} })
  await using sql = new SQL(database.url, { max: 1 })
  expect(await sql`SELECT schemaname AS schema FROM pg_tables WHERE tablename = 'transactions'`).toEqual([
    { schema: "points" },
  ])
  const sessions = await sql`SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'thanks'`
  expect(sessions[0].count).toBeGreaterThan(0)
  await client.close()
})
