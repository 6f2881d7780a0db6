import { expect, test } from "bun:test"
import { done, misused, operator, refused } from "./operator.ts"

test("prints everything stored about one person, and records that in the audit log", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["points", "grant", "5", "--to", "ana", "--reason", "for the fair"])

  const { status, stdout } = await operates.types(["user", "export-data", "ana"])

  expect([status, JSON.parse(stdout)]).toMatchObject([
    0,
    {
      account: [{ username: "ana", email: "ana@example.com" }],
      balance: [{ value: 5 }],
      sessions: [],
      transactions: [{ senderUsername: "admin", value: 5, note: { reason: "for the fair" } }],
    },
  ])
  const { stdout: entries } = await operates.types(["audit", "--action", "exported", "--json"])
  expect(JSON.parse(entries)).toMatchObject([{ who: "olga", whom: "ana", detail: "personal data" }])
  expect(await operates.types(["user", "export-data", "nobody"])).toEqual(refused("User not found: nobody"))
})

test("erases a person who has left, with the reasons that the options name", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["points", "grant", "5", "--to", "ana", "--reason", "for the fair"])

  expect(await operates.types(["user", "erase", "ana"])).toEqual(refused("Deactivate the account first"))
  await operates.types(["user", "deactivate", "ana"])
  expect(await operates.types(["user", "erase", "ana", "--reasons", "some"])).toEqual(
    misused("--reasons must be one of none, written, all", "See: rewards user erase --help"),
  )
  expect(await operates.types(["user", "erase", "ana", "--reasons", "all"])).toEqual(
    done("User ana is erased; the ledger names erased-2 instead"),
  )

  const exported = await operates.types(["export", "transactions"])
  expect(exported.stdout).toContain(",erased-2,Former colleague,sales,5,,")
  expect((await operates.types(["user-list", "--all"])).stdout).not.toContain("ana@example.com")
  expect(await operates.types(["verify"])).toMatchObject({ status: 0 })
  expect(await operates.types(["user", "reactivate", "erased-2"])).toEqual(refused("This account was erased"))
})
