import { expect, test } from "bun:test"
import { SQL } from "bun"
import type { Finding } from "../../src/cli/doctor/finding.ts"
import { migrations } from "../../src/storage/postgres/database/migrations.ts"
import { storeAt, tamper } from "../storage/postgres/maintenance/support.ts"
import { owner, startCluster, testDatabase } from "../support/postgres.ts"
import { done, doneAnchored, operator, refused } from "./operator.ts"
import { operatorOnPostgres } from "./operator-on-postgres.ts"
import { expectAdminMissing, expectWrongBalance, withPoints, wrongBalance } from "./operator-with-points.ts"

test("commands that read or change data work on PostgreSQL as on a file", async () => {
  await using operates = await operatorOnPostgres()
  const { types } = operates

  expect(await types(["migrate"])).toEqual(done(...migrations.map(({ tag }) => `Applied ${tag}`)))
  expect(await types(["migrate"])).toEqual(done("Nothing to do"))
  expect(await types(["create-user", "Ana", "ana@example.com", "x", "sales"])).toEqual(done("User ana created"))
  expect(await types(["transaction", "ana", "10"])).toEqual(done("admin: 0 -> -10", "ana: 0 -> 10"))
  expect(await types(["points", "grant", "5", "--to", "ana"])).toMatchObject({ status: 0 })
  expect(await types(["points", "reverse", "1", "--reason", "Twice"])).toMatchObject({ status: 0 })
  expect(await types(["user", "set-dept", "ana", "hr"])).toEqual(done("User ana is now in hr"))
  expect(await types(["user", "set-password", "ana"], { stdin: "another password\n" })).toMatchObject({ status: 0 })
  expect(await types(["session", "revoke", "ana"])).toMatchObject({ status: 0 })
  expect(await types(["session", "list"])).toMatchObject({ status: 0, stderr: "" })
  expect(await types(["export", "users"])).toMatchObject({ status: 0, stdout: expect.stringContaining("ana,Ana") })
  expect(await types(["export", "transactions"])).toMatchObject({ status: 0, stdout: expect.stringContaining("Twice") })
  expect(await types(["user-list"])).toMatchObject({ status: 0, stdout: expect.stringContaining("ana@example.com") })
  expect(await types(["transaction", "ANA@example.com", "1"])).toMatchObject({ status: 0 })
  expect(await types(["reward", "add", "Mug", "1"])).toMatchObject({ status: 0 })
  expect(await types(["redemption", "list", "--user", "ana"])).toMatchObject({ status: 0 })
  const { stdout } = await types(["audit", "--json"])
  expect(JSON.parse(stdout).map(({ action }: { action: string }) => action)).toContain("points_reversed")
})

for (const [what, sql] of [
  ["renamed", "UPDATE users SET username = 'boss' WHERE username = 'admin'"],
  ["removed", "DELETE FROM users WHERE username = 'admin'"],
] as const)
  test(`on PostgreSQL too, a command says that somebody ${what} admin by hand`, async () => {
    await using operates = await withPoints(await operatorOnPostgres())
    await tamper(operates.url, sql)

    await expectAdminMissing(operates)
  })

test("verify reports a healthy PostgreSQL database, and exits with status 1 on a finding", async () => {
  await using operates = await withPoints(await operatorOnPostgres())
  expect(await operates.types(["verify"])).toEqual(doneAnchored("1 transaction, nothing wrong"))

  await tamper(operates.url, wrongBalance)

  await expectWrongBalance(operates, operates.shown)
  expect(await operates.types(["verify", "--accept"])).toEqual(
    refused(`cannot use the database ${operates.shown}: only a database file has a watermark; verify without --accept`),
  )
})

test("reset-db asks before it drops all tables; the next command creates a new database", async () => {
  await using operates = await withPoints(await operatorOnPostgres())

  expect(await operates.types(["reset-db"])).toEqual(
    refused(`this would drop all tables of ${operates.shown}: confirm with --force`),
  )
  expect(await operates.types(["reset-db"], { stdinIsTerminal: true, stdin: "n\n" })).toMatchObject({ status: 1 })
  expect(await operates.types(["verify"])).toEqual(doneAnchored("1 transaction, nothing wrong"))

  for (const _ of [1, 2])
    expect(await operates.types(["reset-db", "--force"])).toEqual(done(`Dropped all tables of ${operates.shown}`))
  expect(await operates.types(["verify"])).toEqual(
    refused(`cannot use the database ${operates.shown}: there is nothing in it yet`),
  )

  const { stdout } = await operates.types(["user-list", "--json"])
  expect(JSON.parse(stdout).map(({ username }: { username: string }) => username)).toEqual(["admin"])
})

test("reset-db refuses another program's database, and one that another process has open, even idle", async () => {
  await using operates = await withPoints(await operatorOnPostgres())
  const store = await storeAt(operates.url)
  expect(await operates.types(["reset-db", "--force"])).toEqual(
    refused(
      `cannot use the database ${operates.shown}: another process has it open; stop \`rewards serve\` and every other ` +
        "rewards command, on every machine",
    ),
  )
  expect(await store.users.byUsername("ana")).not.toBeNull()
  await store.close()

  await tamper(operates.url, "DROP TABLE migrations; CREATE TABLE theirs (id integer)")
  const { status, stderr } = await operates.types(["reset-db", "--force"])
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("holds tables of another program") })
})

test("copy between two databases names the one whose error it is", async () => {
  await using operates = await withPoints(await operatorOnPostgres())
  await using target = await testDatabase()
  const reader = operates.url.replace(/\/\/.*@/, "//reader:secret@")
  await tamper(
    operates.url,
    "CREATE ROLE reader LOGIN PASSWORD 'secret'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
  )
  const copied = async (url: string, from = operates.url) => {
    const { stderr } = await operates.types(["copy", "--to", "-"], { stdin: url, env: { REWARDS_DB__URL: from } })
    return stderr.split("\n").find((line) => line.startsWith("cannot use"))
  }

  expect(await copied(target.url.replace(/[^/]+$/, "nowhere"))).toMatch(
    /^cannot use the database postgres:.*\/nowhere: the server has no database nowhere;/,
  )
  expect(await copied(target.url, reader)).toMatch(
    /^cannot use the database postgres:\/\/reader@.*: the user reader in db.url lacks a right: permission denied for sequence /,
  )
})

for (const [args, cure] of [
  [["backup"], "back up PostgreSQL with pg_dump, or write a database file with `rewards copy --to FILE`"],
  [["backup", "-"], "back up PostgreSQL with pg_dump"],
  [["restore", "backup.db"], "restore a dump with pg_restore into an empty database"],
] as const)
  test(`${args.join(" ")} is refused and names what to use on PostgreSQL`, async () => {
    await using operates = await operatorOnPostgres()
    const { status, stderr } = await operates.types(args)
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(cure) })
  })

test("doctor checks the PostgreSQL server instead of a file, and changes nothing", async () => {
  await using cluster = await strictCluster()
  await using operates = await operator()
  const types = (args: readonly string[], url = cluster.url("postgres")) =>
    operates.types(args, {
      env: { REWARDS_DB__URL: url, REWARDS_SECURITY__SECRET_KEY: secret, REWARDS_SERVER__PORT: "1" },
    })
  const found = async (url?: string) => {
    const { status, stdout } = await types(["doctor", "--json"], url)
    return { status, findings: JSON.parse(stdout) as Finding[] }
  }
  const verdicts = (findings: readonly Finding[]) => findings.map(({ check, verdict }) => `${check} ${verdict}`)

  const fresh = await found()
  expect(fresh.findings).toContainEqual(
    expect.objectContaining({ check: "database", message: expect.stringContaining("empty: the first start") }),
  )
  await types(["migrate"])
  const { status, findings } = await found()
  expect(status).toBe(0)
  expect(verdicts(findings).filter((line) => !line.startsWith("settings"))).toEqual([
    "version ok",
    "files ok",
    "database ok",
    "rights ok",
    "durability ok",
    "connections ok",
    "standby ok",
    "database clock ok",
    "admin warn",
    "jobs ok",
    "mail ok",
    "server warn",
    "clock ok",
  ])

  await types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  const sql = new SQL(cluster.url("postgres"), { max: 1 })
  await sql.unsafe("CREATE ROLE guest LOGIN PASSWORD 'guest'; ALTER DATABASE postgres SET synchronous_commit = off")
  await sql.unsafe("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest")
  await sql.close()
  const asGuest = await found(cluster.url("postgres", "guest:guest"))
  expect(verdicts(asGuest.findings)).toContain("rights bad")
  expect(verdicts(asGuest.findings)).toContain("durability bad")
  const nowhere = await found(cluster.url("nowhere"))
  expect(nowhere.findings.find(({ check }) => check === "database")).toEqual({
    check: "database",
    verdict: "bad",
    message: "the server has no database nowhere",
    cure: expect.stringContaining("CREATE DATABASE"),
  })
})

const secret = "a secret for tests alone, 32 bytes and more"

/** A server that loses nothing, as the shared one of the tests may. */
async function strictCluster() {
  const cluster = await startCluster({ fsync: "on", synchronous_commit: "on", full_page_writes: "on" })
  return { ...cluster, [Symbol.asyncDispose]: cluster.stop }
}

test("no command shows the password of the database", async () => {
  await using operates = await withPoints(await operatorOnPostgres())
  const secrets = [owner.password, encodeURIComponent(owner.password)]

  for (const args of [["config"], ["verify"], ["doctor"], ["backup"], ["reset-db"], ["user-list"]])
    for (const url of [
      operates.url,
      operates.url.replace(/test_\d+$/, "nowhere"),
      `${operates.url}?sslmode=nonsense`,
    ]) {
      const { stdout, stderr } = await operates.types(args, { env: { REWARDS_DB__URL: url } })
      for (const secret of secrets) expect(stdout + stderr).not.toContain(secret)
    }
})
