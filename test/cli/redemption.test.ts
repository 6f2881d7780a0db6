import { expect, test } from "bun:test"
import { done, misused, refused } from "./operator.ts"
import { operatorBesideServer } from "./operator-beside-server.ts"

/** Ana has 100 points and has redeemed 30 of them for a mug, of which two are left: transaction 2. */
async function operatorWithRedemption() {
  const beside = await operatorBesideServer()
  await beside.types(["transaction", "ana", "100"])
  await beside.types(["reward", "add", "Mug", "30", "--stock", "3"])
  await beside.ana.post("/api/v1/rewards/1/redemptions", { comment: "A blue one" })
  return beside
}

test("redemption list shows what people redeemed, by state and person, newest first", async () => {
  await using beside = await operatorWithRedemption()
  await beside.ana.post("/api/v1/rewards/1/redemptions", {})
  await beside.types(["redemption", "fulfil", "3"])
  const ids = async (...args: string[]) =>
    JSON.parse((await beside.types(["redemption", "list", "--json", ...args])).stdout).map(
      ({ id }: { id: number }) => id,
    )

  expect(await ids()).toEqual([3, 2])
  expect(await ids("--limit", "1")).toEqual([3])
  expect(await ids("--state", "requested", "--user", "ana")).toEqual([2])
  expect(await ids("--state", "declined")).toEqual([])
  expect(await ids("--user", "admin")).toEqual([])
  expect((await beside.types(["redemption", "list", "--state", "requested"])).stdout).toMatch(
    /^id +date .*\n2 +2026-01-05T09:00:00\.000Z +ana +Mug +30 +requested +A blue one\n$/,
  )
})

test("redemption fulfil answers a redemption once, and the person reads the answer", async () => {
  await using beside = await operatorWithRedemption()

  expect(await beside.types(["redemption", "fulfil", "2", "--answer", "At the reception"])).toEqual(
    done("Redemption 2 (Mug for ana): fulfilled"),
  )

  expect((await beside.ana.get("/api/v1/redemptions")).body).toMatchObject({
    items: [{ id: 2, state: "fulfilled", answer: "At the reception" }],
  })
  const again = refused("This redemption has been answered")
  expect(await beside.types(["redemption", "fulfil", "2"])).toEqual(again)
  expect(await beside.types(["redemption", "decline", "2"])).toEqual(again)
})

test("redemption decline returns the points and the reward, and the audit log names the operator", async () => {
  await using beside = await operatorWithRedemption()

  expect(await beside.types(["redemption", "decline", "2"], { env: { SUDO_USER: "oscar" } })).toEqual(
    done("Redemption 2 (Mug for ana): declined, 30 returned to ana"),
  )

  expect(JSON.parse((await beside.types(["reward", "list", "--json"])).stdout)).toMatchObject([{ stock: 3 }])
  expect((await beside.ana.get("/user/ana/?show_balance=true")).body).toMatchObject({ balance: 100 })
  const { stdout } = await beside.types(["audit", "--action", "reward_declined", "--json"])
  expect(JSON.parse(stdout)).toMatchObject([{ who: "oscar", whom: "ana", way: "command line", detail: "2: Mug" }])
})

test("redemptions that do not exist, unknown people and wrong usage are refused", async () => {
  await using beside = await operatorBesideServer()
  const types = (...args: string[]) => beside.types(["redemption", ...args])

  expect(await types("fulfil", "1")).toEqual(refused("Redemption not found"))
  expect(await types("list", "--user", "nobody")).toEqual(refused("User not found: nobody"))
  expect(await types("decline")).toEqual(misused("missing ID", "See: rewards redemption decline --help"))
  expect(await types("list", "--state", "open")).toEqual(
    misused("option --state: one of requested, fulfilled, declined", "See: rewards redemption list --help"),
  )
})
