import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { done, misused, type Operator, operator } from "./operator.ts"

const start = Date.parse("2026-01-05T09:00:00Z")

/** An operator who did one thing each minute: created Ana, moved her, set her password, logged her out. */
async function operatorWithPast() {
  const operates = await operator()
  const acts: [args: string[], env?: Record<string, string>][] = [
    [["create-user", "Ana", "ana@example.com", "x", "sales"]],
    [["user", "set-dept", "ana", "support"], { SSH_CONNECTION: "203.0.113.7 50022 10.0.0.1 22" }],
    [["user", "set-password", "ana", "y"], { SUDO_USER: "oscar" }],
    [["session", "revoke", "ana"]],
  ]
  for (const [index, [args, env = {}]] of acts.entries())
    await operates.types(args, { env, now: () => start + index * 60_000 })
  return operates
}

const list = async (operates: Operator, ...args: readonly string[]) => {
  const now = () => start + 10 * 60_000
  const { stdout, ...rest } = await operates.types(["audit", "--json", ...args], { now })
  expect(rest).toEqual({ status: 0, stderr: "" })
  return JSON.parse(stdout)
}

const actions = async (operates: Operator, ...args: readonly string[]): Promise<string[]> =>
  (await list(operates, ...args)).map(({ action, whom }: { action: string; whom: string }) => `${action} ${whom}`)

test("the audit log shows who did what, to whom, when, how and from where, newest last", async () => {
  await using operates = await operatorWithPast()

  expect(await operates.types(["audit"])).toEqual(
    done(
      "time                      who    action            whom   way           from         detail",
      "2026-01-05T09:00:00.000Z         user_created      admin  server                     management",
      "2026-01-05T09:00:00.000Z  olga   user_created      ana    command line               sales",
      "2026-01-05T09:01:00.000Z  olga   dept_changed      ana    command line  203.0.113.7  sales -> support",
      "2026-01-05T09:02:00.000Z  oscar  password_changed  ana    command line",
      "2026-01-05T09:03:00.000Z  olga   access_ended      ana    command line",
    ),
  )
  expect((await list(operates)).at(-3)).toEqual({
    time: "2026-01-05T09:01:00.000Z",
    who: "olga",
    action: "dept_changed",
    whom: "ana",
    way: "command line",
    from: "203.0.113.7",
    count: 1,
    detail: "sales -> support",
    before_values: { dept: "sales" },
    after_values: { dept: "support" },
  })
})

test("the table says the old and the new values of a change once", async () => {
  await using operates = await operatorWithPast()
  for (const args of [
    ["reward", "add", "Trip", "400"],
    ["reward", "change", "1", "--cost", "5"],
    ["reward", "change", "1", "--cost", "400"],
    ["user", "set-days", "ana", "--birthday", "03-14"],
    ["allowance", "add", "Monthly", "50", "--period", "month", "--mode", "add", "--to", "ana"],
    ["duties", "ana", "--add", "people"],
    ["user", "deactivate", "ana"],
  ])
    expect(await operates.types(args)).toMatchObject({ status: 0 })
  const said = async (...args: string[]) => (await operates.types(["audit", ...args])).stdout

  expect(await said("--action", "reward_changed")).toMatch(/Trip, cost: 400 -> 5\n.*Trip, cost: 5 -> 400\n$/)
  expect(await said("--action", "profile_changed")).toMatch(/ {2}birthday: null -> "03-14"\n$/)
  expect(await said("--action", "user_deactivated")).toEndWith("  ended duties: people\n")
  expect(await said("--action", "dept_changed")).toEndWith("  sales -> support\n")
  expect((await list(operates, "--action", "allowance_added"))[0]).toMatchObject({
    before_values: null,
    after_values: { value: 50, audience: { usernames: ["ana"] } },
  })
})

test("entries can be filtered by user, action and time, and limited in number", async () => {
  await using operates = await operatorWithPast()

  expect(await actions(operates, "--user", "admin")).toEqual(["user_created admin"])
  expect(await actions(operates, "--user", "oscar")).toEqual(["password_changed ana"])
  expect(await actions(operates, "--action", "user_created")).toEqual(["user_created admin", "user_created ana"])
  expect(await actions(operates, "--limit", "1")).toEqual(["access_ended ana"])
  for (const since of ["8m", "2026-01-05T09:02", "2026-01-05T09:02:00Z", "2026-01-05T09:01:00.001Z"])
    expect([since, await actions(operates, "--since", since)]).toEqual([
      since,
      ["password_changed ana", "access_ended ana"],
    ])
  for (const since of ["1h", "7d", "2026-01-05"]) expect(await actions(operates, "--since", since)).toHaveLength(5)
  expect(await actions(operates, "--since", "2026-01-06", "--user", "ana")).toEqual([])
})

test("an entry that combines several events shows how many", async () => {
  await using operates = await operator()
  const stdin = `
    const entry = { who: null, way: "http", address: null, at: 1, action: "login_failed", whom: "ana", detail: null }
    await store.audit.append([{ ...entry, count: 12 }, { ...entry, count: 3, detail: "from many addresses" }])
  `
  await operates.types(["shell"], { stdin, env: { REWARDS_SECURITY__SECRET_KEY: "a secret" } })

  const { stdout } = await operates.types(["audit", "--action", "login_failed"])
  expect(stdout).toMatch(/ {2}12 times\n.* {2}3 times, from many addresses\n$/)
  expect(await actions(operates, "--action", "shell")).toEqual(["shell null"])
})

test("backups and restores are recorded with their file", async () => {
  await using operates = await operator()
  await operates.types(["migrate"])
  await operates.types(["backup", "copy.db"])
  await operates.types(["backup", "-"])
  await operates.types(["restore", "copy.db"])

  const told = async (action: string) =>
    (await list(operates, "--action", action)).map(({ who, detail }: { who: string; detail: string }) => [who, detail])
  const file = `${operates.folder}/copy.db`
  // What came after the backup is not in it.
  expect(await told("backup")).toEqual([])
  expect(await told("restore")).toEqual([["olga", `from ${file}`]])
  await operates.types(["backup", "other.db"])
  await operates.types(["backup", "-"])
  expect(await told("backup")).toEqual([
    ["olga", `${operates.folder}/other.db`],
    ["olga", "to standard output"],
  ])
})

test("a backup succeeds even if the audit log cannot be written", async () => {
  await using operates = await operator()
  await operates.types(["migrate"])
  await using reader = await lockedForWriting(operates.database)

  const { status, stderr } = await operates.types(["backup", "copy.db"])

  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: "the audit log could not be written: database is locked\n",
  })
  expect(reader.isOpen).toBe(true)
}, 120_000)

for (const [args, message] of [
  [["--action", "dance"], "option --action: one of login, login_failed, "],
  [["--since", "yesterday"], "option --since: a date such as 2026-01-31 or 2026-01-31T09:00, or 30m, 12h, 7d"],
  [["--since", "2026-02-31"], "option --since: a date such as"],
  [["--since", "7y"], "option --since: a date such as"],
  [["--limit", "0"], "option --limit: a number from 1 to 1000000"],
  [["--limit", "1000001"], "option --limit: a number from 1 to 1000000"],
  [["--limit", "-1"], "option --limit: a number from 1 to 1000000"],
  [["--user"], "option --user needs a value"],
  [["ana"], "no arguments expected"],
] as const)
  test(`wrong usage: audit ${args.join(" ")}`, async () => {
    await using operates = await operator()

    const { stderr, ...rest } = await operates.types(["audit", ...args])

    expect({ ...rest, stderr: "" }).toEqual(misused())
    expect(stderr).toStartWith(message)
    expect(stderr).toEndWith("\nSee: rewards audit --help\n")
  })

/** Somebody who holds the write lock. */
async function lockedForWriting(path: string) {
  const client = new Database(path)
  client.run("BEGIN IMMEDIATE")
  return {
    isOpen: client.inTransaction,
    [Symbol.asyncDispose]: async () => client.close(),
  }
}
