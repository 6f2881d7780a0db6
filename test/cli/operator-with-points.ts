import { expect } from "bun:test"
import { type Operator, refused } from "./operator.ts"

/** Adds Ana, who has ten points. */
export async function withPoints<One extends Pick<Operator, "types">>(operates: One): Promise<One> {
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])
  return operates
}

/** SQL that gives Ana a point that nobody sent. */
export const wrongBalance = "UPDATE balances SET value = 11 WHERE user_id = 2"

/** `rewards verify` finds it, with a line for each finding, as JSON, and with exit status 1. */
export async function expectWrongBalance({ types }: Pick<Operator, "types">, database: string) {
  expect(await types(["verify"])).toEqual({
    ...refused(`${database} is damaged: 2 findings`),
    stdout: "balances: the balance of ana is 11 instead of 10\nbalances: all balances add up to 1 instead of 0\n",
  })
  const { status, stdout } = await types(["verify", "--json"])
  expect({ status, report: JSON.parse(stdout) }).toEqual({
    status: 1,
    report: {
      transactions: 1,
      newest: expect.stringMatching(/^1:[0-9a-f]{64}$/),
      findings: [
        { check: "balances", fault: "the balance of ana is 11 instead of 10" },
        { check: "balances", fault: "all balances add up to 1 instead of 0" },
      ],
    },
  })
}

/** Commands exit with status 1 and a message about `admin`, whose row somebody has removed or renamed. */
export async function expectAdminMissing({ types }: Pick<Operator, "types">) {
  const refusal = refused(
    "User not found: admin, whom every installation has. It was removed or renamed in the database by hand: give its " +
      "row the username admin again, or restore a backup",
  )
  expect(await types(["transaction", "ana", "10"])).toEqual(refusal)
  expect(await types(["user-list"])).toEqual(refusal)
}
