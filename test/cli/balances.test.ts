import { expect, test } from "bun:test"
import { done, misused, operator, operatorWithDatabase, refused } from "./operator.ts"

/** Ana got 10 points on 2026-01-05, and 5 a month later. */
async function operatorWithPoints() {
  const operates = await operator()
  const on = (day: string) => ({ now: () => Date.parse(`${day}T12:00:00Z`) })
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"], on("2026-01-05"))
  await operates.types(["transaction", "ana", "10"], on("2026-01-05"))
  await operates.types(["transaction", "ana", "5"], on("2026-02-05"))
  return { ...operates, balances: (...args: string[]) => operates.types(["balances", ...args], on("2026-02-06")) }
}

test("balances prints what people held at the end of a day, by default today, and all of them together", async () => {
  await using operates = await operatorWithPoints()

  expect(await operates.balances("--at", "2026-01-31")).toEqual(
    done(
      "username  name  dept   balance  redeemable  value",
      "ana       Ana   sales  10       10",
      "total                  10       10",
    ),
  )
  expect((await operates.balances()).stdout).toContain("total                  15       15")
})

test("balances --json and --csv have the same points", async () => {
  await using operates = await operatorWithPoints()

  const total = { balance: 10, redeemable: 10, value: null }
  expect(JSON.parse((await operates.balances("--at", "2026-01-31", "--json")).stdout)).toEqual({
    ...{ at: "2026-01-31", currency: null, total },
    items: [{ username: "ana", name: "Ana", dept: "sales", avatar: null, ...total }],
  })
  expect((await operates.balances("--at", "2026-01-31", "--csv")).stdout).toBe(
    "\uFEFFat,username,name,dept,balance,redeemable,value,currency\r\n2026-01-31,ana,Ana,sales,10,10,,\r\n",
  )
  const audit = JSON.parse((await operates.types(["audit", "--limit", "1", "--json"])).stdout)
  expect(audit).toMatchObject([{ action: "exported", who: "olga", detail: "outstanding: 2026-01-31" }])
})

test("a day to come, one that is none, and two formats at once are refused", async () => {
  await using operates = await operatorWithDatabase()
  const balances = (...args: string[]) => operates.types(["balances", ...args])

  expect(await balances("--at", "2999-01-01")).toEqual(refused("at: a day that is not after today"))
  expect(await balances("--at", "soon")).toEqual(refused("at: a day, YYYY-MM-DD"))
  expect(await balances("--csv", "--json")).toEqual(
    misused("give either --csv or --json", "See: rewards balances --help"),
  )
})
