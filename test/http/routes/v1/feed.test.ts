import { expect, test } from "bun:test"
import { ok, refused, unauthenticated } from "../../../support/answers.ts"
import { type Person, startTestServer } from "../../../support/server.ts"

interface Entry {
  readonly id: number
  readonly reason: string | null
  readonly private: boolean
}

interface Page {
  readonly items: Entry[]
  readonly next: number | null
  readonly through: number
}

/** Ana, Bruno and Carla of sales with 100 points each (1 to 3), and what they sent: 4 and 5 of Ana to Bruno, the
 *  second in private; 6 of Bruno to Carla; 7 of Carla to herself. */
async function company(settings: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({ settings: { "recognition.tags": "help,teamwork", ...settings } })
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  for (const person of [ana, bruno, carla]) await server.grant(person, 100)
  server.clock.advance(1)
  await ana.post("/transaction/bruno/", { value: 1, reason: "Thanks", tags: ["teamwork", "help"] })
  await ana.post("/transaction/bruno/", { value: 2, reason: "Between us", private: true })
  await bruno.post("/transaction/carla/", { value: 3 })
  await carla.post("/transaction/carla/", { value: 4 })
  return { server, ana, bruno, carla, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const feedOf = async (person: Pick<Person, "get">, query = "") => (await person.get<Page>(`/api/v1/feed${query}`)).body
const idsIn = ({ items }: Page) => items.map(({ id }) => id)
const idsOf = async (person: Pick<Person, "get">, query = "") => idsIn(await feedOf(person, query))

test("a transfer to oneself is not a recognition and is in nobody's feed", async () => {
  await using here = await company()
  const { ana, carla } = here

  expect(await idsOf(ana)).toEqual([6, 5, 4, 3, 2, 1])
  expect(await idsOf(carla)).toEqual([6, 5, 4, 3, 2, 1])
  expect(await idsOf(carla, "?username=carla")).toEqual([6, 3])
  expect((await feedOf(ana)).through).toBe(7)
  await using own = await company({ "recognition.feed": "own" })
  expect(await idsOf(own.carla)).toEqual([6, 3])
})

test("an entry has sender, receiver, date, reason and value", async () => {
  await using here = await company()
  await here.bruno.patch("/user/bruno/", { avatar: "https://example.com/b.png" })

  expect(await here.carla.get("/api/v1/feed?size=2&before=6")).toEqual(
    ok({
      items: [
        {
          id: 5,
          date: "2026-01-05T09:00:00.001Z",
          value: 2,
          total: 2,
          from_username: "ana",
          from_name: "Ana",
          from_avatar: null,
          to_username: "bruno",
          to_name: "Bruno",
          to_avatar: "https://example.com/b.png",
          receivers: [
            { username: "bruno", name: "Bruno", avatar: "https://example.com/b.png", reversed: 0, taken_back: false },
          ],
          reason: null,
          tags: [],
          private: true,
          reversed: 0,
          taken_back: false,
          added: { value: 0, count: 0, own: false },
          occasion: null,
          reactions: [],
          replies: 0,
        },
        {
          id: 4,
          date: "2026-01-05T09:00:00.001Z",
          value: 1,
          total: 1,
          from_username: "ana",
          from_name: "Ana",
          from_avatar: null,
          to_username: "bruno",
          to_name: "Bruno",
          to_avatar: "https://example.com/b.png",
          receivers: [
            { username: "bruno", name: "Bruno", avatar: "https://example.com/b.png", reversed: 0, taken_back: false },
          ],
          reason: "Thanks",
          tags: ["teamwork", "help"],
          private: false,
          reversed: 0,
          taken_back: false,
          added: { value: 0, count: 0, own: false },
          occasion: null,
          reactions: [],
          replies: 0,
        },
      ],
      next: 4,
      through: 7,
    }),
  )
})

test("the newest entries come first, and `next` leads through all of them once, to the end", async () => {
  await using here = await company()

  expect(await feedOf(here.ana)).toMatchObject({ next: null })
  expect(await idsOf(here.ana)).toEqual([6, 5, 4, 3, 2, 1])
  for (const size of [1, 2, 3, 7, 8]) {
    const seen: number[] = []
    for (let next: number | null | undefined; next !== null; ) {
      const page = await feedOf(here.ana, `?size=${size}${next === undefined ? "" : `&before=${next}`}`)
      seen.push(...idsIn(page))
      next = page.next
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1])
  }
})

test("the next page continues where the last one ended, even if entries were added", async () => {
  await using here = await company()
  const { next } = await feedOf(here.ana, "?size=3")
  await here.server.grant(here.ana, 1)

  expect(await idsOf(here.ana, `?before=${next}`)).toEqual([3, 2, 1])
  expect(await idsOf(here.ana, "?before=9007199254740991&size=1")).toEqual([8])
})

test("a person's page has what that person sent and received, each once", async () => {
  await using here = await company()

  expect(await idsOf(here.ana, "?username=bruno")).toEqual([6, 5, 4, 2])
  expect(await idsOf(here.ana, "?username=carla")).toEqual([6, 3])
  expect(await idsOf(here.ana, "?username=bruno&before=5&size=1")).toEqual([4])
  expect(await feedOf(here.ana, "?username=nobody")).toEqual({ items: [], next: null, through: 7 })
})

test("every page says up to which entry it is complete", async () => {
  await using here = await company({ "recognition.feed": "own" })

  expect(await feedOf(here.ana)).toMatchObject({ items: [{ id: 5 }, { id: 4 }, { id: 1 }], through: 7 })
  expect(await feedOf(here.ana, "?before=5&size=1")).toMatchObject({ items: [{ id: 4 }], through: 7 })
  await here.server.grant(here.bruno, 1)
  expect(await feedOf(here.ana)).toMatchObject({ through: 8 })
})

test("only sender and receiver can read a private reason, not even superusers", async () => {
  await using here = await company()
  const readers = [here.ana, here.bruno, here.carla, await here.server.admin()]

  const seen = await Promise.all(readers.map(async (reader) => (await feedOf(reader, "?before=6&size=1")).items))

  expect(seen.map(([entry]) => entry?.reason)).toEqual(["Between us", "Between us", null, null])
  expect(seen.map(([entry]) => entry?.private)).toEqual([true, true, true, true])
})

test("with recognition.feed = own, members see only recognitions that they sent or received, and superusers all", async () => {
  await using here = await company({ "recognition.feed": "own" })
  const admin = await here.server.admin()

  expect(await idsOf(here.ana)).toEqual([5, 4, 1])
  expect(await idsOf(here.carla)).toEqual([6, 3])
  expect(await idsOf(here.ana, "?username=ana")).toEqual([5, 4, 1])
  expect(await idsOf(here.ana, "?username=bruno")).toEqual([5, 4])
  expect(await feedOf(here.bruno, "?username=ana&before=5&size=1")).toMatchObject({ items: [{ id: 4 }], next: null })
  expect(await idsOf(here.ana, "?username=carla")).toEqual([])
  expect(await idsOf(admin)).toEqual([6, 5, 4, 3, 2, 1])
  expect(await idsOf(admin, "?username=carla")).toEqual([6, 3])
})

test("without credentials the feed is refused, and a session sees what its user may see", async () => {
  await using here = await company()

  expect(await here.server.anybody.get("/api/v1/feed")).toEqual(unauthenticated)
  expect(await idsOf(await here.server.withSession(here.ana))).toEqual([6, 5, 4, 3, 2, 1])
})

test("invalid ids and sizes are refused", async () => {
  await using here = await company()

  for (const before of ["0", "9007199254740992"])
    expect(await here.ana.get(`/api/v1/feed?before=${before}`)).toEqual(refused(422, "before: the id of an entry"))
  for (const before of ["--1", "1.5", "x", ""])
    expect(await here.ana.get(`/api/v1/feed?before=${before}`)).toMatchObject({ status: 422 })
  for (const size of ["0", "101"])
    expect(await here.ana.get(`/api/v1/feed?size=${size}`)).toEqual(refused(422, "size: an integer from 1 to 100"))
})
