import { expect, test } from "bun:test"
import { operator, refused } from "./operator.ts"

test("prints everything that is stored about one person, and the audit log says so", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["grant", "5", "--to", "ana", "--reason", "for the fair"])

  const { status, stdout } = await operates.types(["privacy", "ana"])

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
  expect(await operates.types(["privacy", "nobody"])).toEqual(refused("User not found: nobody"))
})
