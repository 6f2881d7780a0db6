import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { done, misused, operator, refused } from "./operator.ts"

const people = "name,email,dept\nAna,ana@example.com,sales\nBruno,bruno@example.com,sales\n"

test("creates and changes people from a file or standard input, and tells how many", async () => {
  await using operates = await operator()
  await Bun.write(`${operates.folder}/people.csv`, people)

  expect(await operates.types(["import-users", "people.csv", "--dry-run"])).toEqual(
    done("2 users would be created, 0 updated, 0 unchanged"),
  )
  expect(await operates.types(["import-users", "people.csv"])).toEqual(done("2 users created, 0 updated, 0 unchanged"))
  const stdin = people.replace("Bruno,bruno@example.com,sales", "Bruno,bruno@example.com,support")
  expect(await operates.types(["import-users", "-", "--json"], { stdin })).toEqual(
    done(...JSON.stringify({ created: 0, updated: 1, unchanged: 1 }, null, 2).split("\n")),
  )
  const leaver = { stdin: "username,active\nana,no\n" }
  expect(await operates.types(["import-users", "-", "--dry-run"], leaver)).toEqual(
    done("0 users would be created, 1 updated (1 deactivated), 0 unchanged"),
  )

  const { stdout } = await operates.types(["audit", "--action", "users_imported", "--json"])
  expect(JSON.parse(stdout)).toMatchObject([
    { who: "olga", way: "command line", detail: "2 created, 0 updated, 0 unchanged" },
    { who: "olga", way: "command line", detail: "0 created, 1 updated, 1 unchanged" },
  ])
})

test("every wrong row is a line on standard error, and nothing is done", async () => {
  await using operates = await operator()
  const stdin = "name,email,dept\nAna,ana,sales\nBruno,bruno@example.com,\n"
  const refusal = refused(
    "row 2, email: one plain address of at most 254 characters",
    "row 3, dept: 1 to 100 visible characters on one line",
  )

  expect(await operates.types(["import-users", "-", "--dry-run"], { stdin })).toEqual(refusal)
  expect(await operates.types(["import-users", "-"], { stdin })).toEqual(refusal)

  const { stdout } = await operates.types(["user-list", "--json"])
  expect(JSON.parse(stdout)).toMatchObject([{ username: "admin" }])
})

test("a file that cannot be read is refused, and none at all is wrong usage", async () => {
  await using operates = await operator()

  expect(await operates.types(["import-users", "missing.csv"])).toEqual(
    refused("cannot read missing.csv: there is no such file"),
  )
  expect(await operates.types(["import-users"])).toEqual(misused("missing FILE", "See: rewards import-users --help"))
})

test("with --invite a mail waits for everybody who is new, for the server to send", async () => {
  await using operates = await operator()
  await operates.types(["import-users", "-"], { stdin: people.split("\n").slice(0, 2).join("\n") })

  await operates.types(["import-users", "-", "--invite"], { stdin: people })

  using rows = new Database(operates.database, { readonly: true })
  expect(rows.query("SELECT kind, payload, state FROM jobs").all()).toEqual([
    { kind: "invitation", payload: '{"email":"bruno@example.com"}', state: "available" },
  ])
})
