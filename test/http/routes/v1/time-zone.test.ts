import { expect, test } from "bun:test"
import { startTestServer } from "../../../support/server.ts"

const settings = { "service.time_zone": "America/Sao_Paulo", "security.access_token_expire_minutes": "5000000" }

test("charts, leaderboards and lists use the days and periods of the same time zone", async () => {
  await using server = await startTestServer({ settings })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const at = (time: string) => server.clock.advance(Date.parse(time) - server.clock.now())
  at("2026-02-01T02:59:00Z") // 31 January, 23:59
  await server.grant(ana, 100)
  await ana.post("/api/v1/transactions", { to: "bruno", value: 5 })
  at("2026-02-01T03:01:00Z") // 1 February, 00:01
  await ana.post("/api/v1/transactions", { to: "bruno", value: 7 })

  const { body: stats } = await bruno.get<{ days: { day: string; received: { points: number } }[] }>(
    "/api/v1/stats?days=2",
  )
  expect(stats.days.map(({ day, received }) => [day, received.points])).toEqual([
    ["2026-01-31", 5],
    ["2026-02-01", 7],
  ])
  const { body: all } = await (await server.admin()).get<{ days: { day: string; points: number }[] }>(
    "/api/v1/stats?scope=all&days=2",
  )
  expect(all.days.map(({ day, points }) => [day, points])).toEqual([
    ["2026-01-31", 105],
    ["2026-02-01", 7],
  ])
  expect((await ana.get("/api/v1/leaderboard?period=month")).body).toMatchObject({
    start: "2026-02-01T03:00:00.000Z",
    end: "2026-03-01T03:00:00.000Z",
    items: [{ username: "bruno", points: 7 }],
  })
  const valuesOn = async (from: string, to: string) => {
    const { body } = await bruno.get<{ items: { value: number }[] }>(`/api/v1/transactions?from=${from}&to=${to}`)
    return body.items.map(({ value }) => value)
  }
  expect(await valuesOn("2026-01-31", "2026-01-31")).toEqual([5])
  expect(await valuesOn("2026-02-01", "2026-02-02")).toEqual([7])
  const file = await bruno.request("GET", "/api/v1/transactions.csv")
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="transactions-2026-02-01.csv"')
  const [, ...lines] = (await file.text()).trimEnd().split("\r\n")
  expect(lines.map((line) => line.split(",").slice(1, 3))).toEqual([
    ["2026-01-31 23:59:00", "America/Sao_Paulo"],
    ["2026-02-01 00:01:00", "America/Sao_Paulo"],
  ])
  expect((await ana.get("/api/v1/service")).body).toMatchObject({ time_zone: "America/Sao_Paulo" })
})
