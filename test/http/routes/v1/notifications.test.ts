import { expect, test } from "bun:test"
import { ok, refused } from "../../../support/answers.ts"
import { type Person, startTestServer } from "../../../support/server.ts"

interface Notification {
  readonly id: number
  readonly type: "recognition" | "reply"
  readonly date: string
  readonly seen: boolean
  readonly recognition: { readonly id: number; readonly reason: string | null }
  readonly reply: { readonly text: string } | null
}

interface Page {
  readonly items: Notification[]
  readonly next: number | null
  readonly unread: number
}

/** Ana gave Bruno points twice, the second time in private, and Carla replied to the first. */
async function company() {
  const server = await startTestServer()
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  await server.grant(ana, 100)
  await ana.post("/transaction/bruno/", { value: 1, reason: "Thanks" })
  await ana.post("/transaction/bruno/", { value: 2, reason: "Between us", private: true })
  server.clock.advance(60_000)
  await carla.post("/api/v1/recognitions/2/replies", { text: "Well done" })
  return { server, ana, bruno, carla, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

const pageOf = async (person: Pick<Person, "get">, query = "") =>
  (await person.get<Page>(`/api/v1/notifications${query}`)).body
const unreadOf = async (person: Pick<Person, "get">) => (await person.get<{ unread: number }>("/api/v1/me")).body.unread

test("notifications list received recognitions and replies to one's recognitions, newest first", async () => {
  await using here = await company()
  const { ana, bruno, carla } = here

  const { items, next, unread } = await pageOf(bruno)
  expect(
    items.map(({ type, date, seen, recognition, reply }) => [type, date, seen, recognition.reason, reply?.text]),
  ).toEqual([
    ["reply", "2026-01-05T09:01:00.000Z", false, "Thanks", "Well done"],
    ["recognition", "2026-01-05T09:00:00.000Z", false, "Between us", undefined],
    ["recognition", "2026-01-05T09:00:00.000Z", false, "Thanks", undefined],
  ])
  expect([next, unread]).toEqual([null, 3])
  expect((await pageOf(ana)).items.map(({ type }) => type)).toEqual(["reply", "recognition"])
  expect(await pageOf(carla)).toEqual({ items: [], next: null, unread: 0 })
  expect(await pageOf(bruno, `?size=1&before=${items[0]?.id}`)).toEqual({
    items: [items[1]],
    next: items[1]?.id,
    unread: 3,
  } as never)
})

test("a notification is unread until it is marked as seen, for the account and the session", async () => {
  await using here = await company()
  const { ana, bruno } = here
  const { items } = await pageOf(bruno)
  const seen = (through: unknown) => bruno.post("/api/v1/notifications/seen", { through })

  expect(await unreadOf(bruno)).toBe(3)
  expect(await seen(items[1]?.id)).toEqual(ok({ unread: 1 }))
  expect((await pageOf(bruno)).items.map((one) => one.seen)).toEqual([false, true, true])
  expect(await seen(items[2]?.id)).toEqual(ok({ unread: 1 }))
  expect(await seen(items[0]?.id)).toEqual(ok({ unread: 0 }))
  expect((await bruno.get<{ unread: number }>("/api/v1/session")).body.unread).toBe(0)
  await ana.post("/transaction/bruno/", { value: 1 })
  expect(await unreadOf(bruno)).toBe(1)
})

test("future notifications cannot be marked as seen", async () => {
  await using here = await company()
  const { ana, bruno } = here

  expect(await bruno.post("/api/v1/notifications/seen", { through: Number.MAX_SAFE_INTEGER })).toEqual(
    ok({ unread: 0 }),
  )
  await ana.post("/transaction/bruno/", { value: 1 })
  expect(await unreadOf(bruno)).toBe(1)
  for (const through of [0, -1, 1.5, "1", null, 2 ** 53])
    expect((await bruno.post("/api/v1/notifications/seen", { through })).status).toBe(422)
  expect(await bruno.get("/api/v1/notifications?before=0")).toEqual(refused(422, "before: the id of a notification"))
  expect((await bruno.get("/api/v1/notifications?size=101")).status).toBe(422)
})
