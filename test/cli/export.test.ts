import { expect, test } from "bun:test"
import { statSync } from "node:fs"
import { done, misused, operator, refused } from "./operator.ts"

const bom = "\uFEFF"
const now = () => Date.UTC(2026, 0, 5, 9)

async function operatorWithAna() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"], { now })
  await operates.types(["transaction", "ana", "10"], { now })
  return operates
}

test("writes all users or all transactions to standard output", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["export", "users"])).toEqual({
    status: 0,
    stdout: `${bom}username,name,email,dept,currency,avatar,bio,balance\r
admin,Admin,admin@localhost,management,USD,,,-10\r
ana,Ana,ana@example.com,sales,USD,,,10\r\n`,
    stderr: "",
  })
  const { stdout } = await operates.types(["export", "transactions"])
  expect(stdout.split("\r\n").slice(1, -1)).toHaveLength(1)
  expect(stdout).toContain("1,2026-01-05 09:00:00,admin,ana,10")

  const entries = await operates.types(["audit", "--action", "exported", "--json"])
  expect(JSON.parse(entries.stdout)).toMatchObject([
    { who: "olga", detail: "users" },
    { who: "olga", detail: "transactions" },
  ])
})

test("or into a new file for its owner alone, never over another; an import takes it back", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["export", "users", "users.csv"])).toEqual(done())
  expect(await operates.types(["export", "users", "users.csv"])).toEqual(
    refused("users.csv exists already and is left as it is"),
  )
  expect(await operates.types(["export", "users", "missing/users.csv"])).toEqual(
    refused(`cannot write missing/users.csv: there is no folder ${operates.folder}/missing; create it first`),
  )

  expect(statSync(`${operates.folder}/users.csv`).mode & 0o777).toBe(0o600)
  expect(await operates.types(["import-users", "users.csv"])).toEqual(done("0 users created, 0 updated, 2 unchanged"))
})

test("anything else is wrong usage", async () => {
  await using operates = await operator()

  expect(await operates.types(["export", "sessions"])).toEqual(
    misused("WHAT: one of users, transactions", "See: rewards export --help"),
  )
})
