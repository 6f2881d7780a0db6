import { expect, test } from "bun:test"
import { join } from "node:path"
import { plainly } from "../storage/files.ts"
import { callerOf } from "../support/credentials.ts"
import { startServer, temporaryFolder } from "../support/executable.ts"
import { until } from "../support/until.ts"

const operator = { username: "admin", password: "admin" }
const ana = { username: "ana", password: "ana comes in" }
const env = { REWARDS_LIMITS__TRANSFERS_PER_MINUTE: "0" }
/** Requests for one reward, each under its own key; every third is declined. */
const count = 60
/** Answers after which the server is killed, one after the other. */
const kills = [3, 20, 35]

interface Redemption {
  readonly id: number
  readonly state: string
}

test("killed with SIGKILL while people redeem and superusers answer, and asked again: each is done once, with its points, stock and mails", async () => {
  await using folder = await temporaryFolder()
  const start = () => startServer({ cwd: folder.path, env })
  {
    await using server = await start()
    const admin = await callerOf(server.url, operator)
    await admin.post("/user/", { name: "Ana", email: "ana@example.com", dept: "sales", password: ana.password })
    await admin.post("/transaction/ana/", { value: 1000 })
    await admin.post("/api/v1/rewards", { name: "Mug", cost: 10, stock: 100 })
  }

  for (const answersBeforeKill of [...kills, Number.POSITIVE_INFINITY]) {
    await using server = await start()
    const [admin, member] = [await callerOf(server.url, operator), await callerOf(server.url, ana)]
    let answered = 0
    const redeemed = Array.from({ length: count }, async (_, turn) => {
      const headers = { "idempotency-key": `request ${turn}` }
      const { body } = await member.call<Redemption>("POST", "/api/v1/rewards/1/redemptions", { json: {}, headers })
      answered += 1
      if (turn % 3 === 0) await admin.post(`/api/v1/redemptions/${body.id}/rejection`)
    })
    const all = Promise.allSettled(redeemed)
    if (Number.isFinite(answersBeforeKill)) {
      await until(() => answered >= answersBeforeKill)
      await server.stop("SIGKILL")
    }
    await all
  }

  await using server = await start()
  const [admin, member] = [await callerOf(server.url, operator), await callerOf(server.url, ana)]
  const pages = await Promise.all(
    ["requested", "declined"].map((state) =>
      admin.get<{ items: Redemption[] }>(`/api/v1/redemptions?size=100&state=${state}`),
    ),
  )
  expect(pages.map(({ body }) => body.items.length)).toEqual([(count * 2) / 3, count / 3])
  const left = (count * 2) / 3
  expect((await member.get("/api/v1/rewards")).body).toMatchObject({ items: [{ stock: 100 - left, redeemed: left }] })
  expect((await member.get("/api/v1/me")).body).toMatchObject({
    balance: 1000 - 10 * left,
    redeemable: 1000 - 10 * left,
  })
  using database = plainly(join(folder.path, "rewards.db"))
  expect(database.query("SELECT count(*) AS jobs FROM jobs WHERE kind = 'redemption_mail'").get()).toEqual({
    jobs: count + count / 3,
  })
})
