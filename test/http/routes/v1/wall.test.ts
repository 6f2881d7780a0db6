import { expect, test } from "bun:test"
import { unauthenticated } from "../../../support/answers.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"

const key = "a-key-that-nobody-guesses_1"
const withKey = { headers: { cookie: `wall_key=${key}` } }
const settings = { "recognition.tags": "care,craft" }
const closed = { ...settings, "stream.access": "auth", "stream.wall_key": key }

interface Wall {
  readonly items: readonly { readonly value: number; readonly reason: string | null; readonly from_avatar: unknown }[]
  readonly week: { readonly points: number; readonly count: number; readonly tags: unknown } | null
  readonly url: string
}

const wallOf = ({ anybody }: Pick<TestServer, "anybody">, sent = {}) => anybody.call<Wall>("GET", "/api/v1/wall", sent)

/** Ana thanks Bruno in public and in private; what she gave first is taken back. */
async function lifeAt(server: TestServer) {
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 100)
  const thank = async (body: object) =>
    (await ana.post<{ id: number }>("/api/v1/transactions", { to: bruno.username, ...body })).body.id
  const mistaken = await thank({ value: 9, reason: "a mistake" })
  await (await server.admin()).post(`/api/v1/transactions/${mistaken}/reversal`, { reason: "not meant" })
  await thank({ value: 5, reason: "between us", private: true })
  await thank({ value: 7, reason: "the review", tags: ["care"] })
  return { ana, bruno }
}

test("without a log-in the wall shows public reasons and this week's sums, but no private reasons and nothing taken back", async () => {
  for (const [its, sent] of [
    [settings, {}],
    [closed, withKey],
  ] as const) {
    await using server = await startTestServer({ settings: its })
    await lifeAt(server)
    const { body } = await wallOf(server, sent)
    expect(body.items.map(({ value, reason }) => [value, reason])).toEqual([
      [7, "the review"],
      [5, null],
      [100, null],
    ])
    expect(body.week).toEqual({ points: 112, count: 3, tags: [{ tag: "care", count: 1 }] })
    expect(body.url).toBe(server.url)
  }
})

test("recognitions older than a week do not count in its sums, and without the key a closed wall is refused", async () => {
  await using server = await startTestServer({ settings: closed })
  await lifeAt(server)
  server.clock.advance(8 * 86_400_000)
  const { body } = await wallOf(server, withKey)
  expect(body.week).toEqual({ points: 0, count: 0, tags: [] })
  expect(body.items).toHaveLength(3)
  expect(await server.anybody.get("/api/v1/wall")).toEqual(unauthenticated)
})

test("with recognition.feed = own, the wall shows members their own recognitions, and the key shows no reasons", async () => {
  await using server = await startTestServer({ settings: { ...closed, "recognition.feed": "own" } })
  const { ana } = await lifeAt(server)
  const carla = await server.person("Carla")
  expect((await wallOf(server, withKey)).body.items.map(({ reason }) => reason)).toEqual([null, null, null])
  expect((await carla.get("/api/v1/wall")).body).toMatchObject({ items: [], week: null })
  const own = (await ana.get<Wall>("/api/v1/wall")).body
  expect(own.items.map(({ value, reason }) => [value, reason])).toEqual([
    [7, "the review"],
    [5, null],
    [100, null],
  ])
  expect((await (await server.admin()).get("/api/v1/wall")).body).toMatchObject({ week: { count: 3 } })
})
