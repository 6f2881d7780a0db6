import { expect, test } from "bun:test"
import { done, misused, operator, refused } from "./operator.ts"

const hint = "See: rewards reverse --help"

/** Ana has 10 points of transaction 1. */
async function operatorWithAna() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])
  return operates
}

test("takes points back, a part or all that are left, and leaves them with admin", async () => {
  await using operates = await operatorWithAna()

  expect(await operates.types(["reverse", "1", "--value", "4", "--reason", "too many"])).toEqual(
    done("Transaction 2: 4 of transaction 1 taken back from ana, returned to admin"),
  )
  const { status, stdout } = await operates.types(["reverse", "1", "--reason", "all of it", "--json"])
  expect([status, JSON.parse(stdout)]).toEqual([0, { id: 3, reverses: 1, value: 6, from: "ana", to: "admin" }])
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
})

test("names the operator in the audit log", async () => {
  await using operates = await operatorWithAna()
  await operates.types(["reverse", "1", "--reason", "too many"])

  const { stdout } = await operates.types(["audit", "--action", "points_reversed", "--json"])
  expect(JSON.parse(stdout)).toMatchObject([{ whom: "ana", way: "command line", detail: "10 of transaction 1" }])
  expect(stdout).toContain("olga")
})

test("refuses what the rules refuse, and changes nothing", async () => {
  await using operates = await operatorWithAna()

  const reverse = (...args: string[]) => operates.types(["reverse", ...args])
  expect(await reverse("2", "--reason", "x")).toEqual(refused("Transaction not found"))
  expect(await reverse("1", "--value", "11", "--reason", "x")).toEqual(refused("Less than that is left to reverse"))
  expect((await reverse("1", "--value", "0", "--reason", "x")).status).toBe(1)
  expect((await reverse("1", "--reason", " ")).status).toBe(1)
  expect(await reverse("1")).toEqual(misused("say why with --reason", hint))
  expect(await reverse("one", "--reason", "x")).toEqual(misused("ID must be the id of a transaction", hint))
  expect(await reverse("1", "--value", "x", "--reason", "x")).toEqual(misused("--value must be an integer", hint))
  expect(await operates.types(["verify"])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("1 transaction, nothing wrong\n"),
  })
})
