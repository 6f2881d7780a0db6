import { expect, test } from "bun:test"
import { person } from "../../../storage/contract/people.ts"
import { refused } from "../../../support/answers.ts"
import type { Answer } from "../../../support/client.ts"
import { type Person, startTestServer } from "../../../support/server.ts"

interface Entry {
  readonly id: number
  readonly value: number
  readonly reason: string
  readonly to_username: string
  readonly occasion: { readonly kind: string; readonly years: number | null } | null
  readonly added: object
  readonly reactions: readonly object[]
  readonly replies: number
}

/** In Lisbon it is 08:59, on the day before a 29th of February that is in no calendar of 2027. */
async function company() {
  const server = await startTestServer({ settings: { "service.time_zone": "Europe/Lisbon" } })
  server.clock.advance(Date.parse("2027-02-28T08:59:00Z") - server.clock.now())
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  const admin = await server.admin()
  await admin.patch("/api/v1/programme", {
    occasions: {
      birthday: { active: true, points: 20, text: "Happy birthday, {name}!" },
      anniversary: { active: true, points: 0, text: "{name}: {years} years" },
    },
  })
  await admin.patch("/api/v1/users/ana", { birthday: "02-29" })
  await admin.patch("/api/v1/users/bruno", { joined: "2024-02-29", birthday: "02-28" })
  await ana.patch("/api/v1/me", { celebrates: true })
  await server.grant(carla, 100)
  const celebrate = () =>
    server.app.occasions.celebrateDue((error) => {
      throw error
    })
  return { server, ana, bruno, carla, celebrate, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const feedOf = async (person: Person) =>
  (await person.get<{ items: readonly Entry[] }>("/api/v1/feed")).body.items.filter(({ occasion }) => occasion !== null)
const occasionOf = async (person: Person) => (await person.get<{ occasion: object | null }>("/api/v1/me")).body.occasion
const redeemableOf = async (person: Person) => (await person.get<{ redeemable: number }>("/api/v1/me")).body.redeemable

/** Carla has points from `admin`. */
const leadersIn = async (person: Person) =>
  (await person.get<{ items: readonly { username: string }[] }>("/api/v1/leaderboard?period=month")).body.items.map(
    ({ username }) => username,
  )

test("everybody sees who is celebrated in the next days, and each person their own day from midnight on", async () => {
  await using here = await company()
  const { carla, ana, bruno } = here
  const face = (name: string) => ({ username: name.toLowerCase(), name, dept: expect.any(String), avatar: null })

  expect((await carla.get("/api/v1/occasions")).body).toEqual({
    items: [
      { date: "2027-02-28", ...face("Ana"), kind: "birthday", years: null },
      { date: "2027-02-28", ...face("Bruno"), kind: "anniversary", years: 3 },
    ],
    next: null,
  })
  expect(await occasionOf(ana)).toEqual({ date: "2027-02-28", kind: "birthday", years: null })
  expect(await occasionOf(bruno)).toEqual({ date: "2027-02-28", kind: "anniversary", years: 3 })
  expect(await occasionOf(carla)).toBeNull()
  expect((await carla.get("/api/v1/occasions?from=2027-03-01")).body).toEqual({ items: [], next: null })
  expect(await carla.get("/api/v1/occasions?from=2027-03-01&to=2027-05-02")).toMatchObject(
    refused(422, "to: at most 61 days after from"),
  )

  await bruno.patch("/api/v1/me", { celebrates: false })
  await ana.patch("/api/v1/me", { celebrates: null })
  expect((await carla.get("/api/v1/occasions")).body).toEqual({ items: [], next: null })
  expect(await occasionOf(ana)).toBeNull()
  expect(await occasionOf(bruno)).toBeNull()
})

interface Page {
  readonly items: readonly { readonly date: string; readonly username: string; readonly kind: string }[]
  readonly next: string | null
}

test("a company that joined on one day comes in pages, which together have everybody once", async () => {
  await using here = await company()
  const { carla, server } = here
  const { users } = server.app.store
  for (let number = 100; number < 230; number++) {
    const { id } = await users.create(person(`P${number}`))
    await users.correct(id, { joined: "2020-03-01", birthday: number % 2 === 0 ? "03-01" : "03-02" })
    await users.updateProfile(id, { celebrates: true })
  }
  const pagesOf = async (query: string) => {
    const pages: Page[] = []
    for (let next: string | null = ""; next !== null; ) {
      const after: string = next && `&after=${encodeURIComponent(next)}`
      const { status, body }: Answer<Page> = await carla.get<Page>(`/api/v1/occasions?${query}${after}`)
      expect(status).toBe(200)
      pages.push(body)
      next = body.next
    }
    return pages
  }
  const all = (await pagesOf("size=100")).flatMap(({ items }) => items)

  expect(all).toHaveLength(2 + 130 + 130)
  const texts = all.map(({ date, username, kind }) => `${date} ${username} ${kind}`)
  expect(new Set(texts).size).toBe(texts.length)
  // By day, then by person, of whom a birthday comes first.
  expect(texts.slice(2, 7)).toEqual([
    "2027-03-01 p100 birthday",
    "2027-03-01 p100 anniversary",
    "2027-03-01 p101 anniversary",
    "2027-03-01 p102 birthday",
    "2027-03-01 p102 anniversary",
  ])
  expect(texts.at(-1)).toBe("2027-03-02 p229 birthday")
  for (const [query, sizes] of [
    ["", [50, 50, 50, 50, 50, 12]],
    ["size=7&from=2027-03-02", [...Array(9).fill(7), 2]],
    ["size=65&from=2027-03-02", [65]],
  ] as const) {
    const pages = await pagesOf(query)
    expect(pages.map(({ items }) => items.length)).toEqual([...sizes])
    expect(pages.flatMap(({ items }) => items)).toEqual(all.slice(all.length - sizes.reduce((a, b) => a + b)))
  }
})

test("a wrong size and a cursor that is none are refused", async () => {
  await using here = await company()
  const refusal = async (query: string) => await here.carla.get(`/api/v1/occasions?${query}`)
  for (const size of ["0", "101", "-1", "1.5", "x"])
    expect(await refusal(`size=${size}`)).toMatchObject(
      refused(422, expect.stringMatching(/^size: an integer from 1 to 100/)),
    )
  for (const after of [
    "",
    "5",
    "2027-03-01",
    "2027-03-01.5",
    "2027-03-01.5.party",
    "2027-3-1.5.birthday",
    "x.5.birthday",
  ])
    expect(await refusal(`after=${after}`)).toEqual(refused(422, "after: `next` of the page before"))
  expect((await refusal("after=9999-99-99.5.birthday")).body).toEqual({ items: [], next: null })
})

test("at nine the entries are made once, with points that can be redeemed and count for no leaderboard", async () => {
  await using here = await company()
  const { ana, bruno, carla, celebrate, server } = here
  await celebrate()
  expect(await feedOf(carla)).toEqual([])

  server.clock.advance(60_000)
  await celebrate()
  await celebrate()
  expect(await feedOf(carla)).toMatchObject([
    { to_username: "bruno", value: 0, reason: "Bruno: 3 years", occasion: { kind: "anniversary", years: 3 } },
    { to_username: "ana", value: 20, reason: "Happy birthday, Ana!", occasion: { kind: "birthday", years: null } },
  ])
  expect(await redeemableOf(ana)).toBe(20)
  expect(await redeemableOf(bruno)).toBe(0)
  expect(await leadersIn(carla)).toEqual(["carla"])
  expect((await ana.get("/api/v1/notifications")).body).toMatchObject({
    unread: 1,
    items: [{ type: "occasion", seen: false, recognition: { reason: "Happy birthday, Ana!" } }],
  })
})

test("colleagues add points to an occasion, with or without points of its own, react and reply; the person cannot", async () => {
  await using here = await company()
  const { ana, bruno, carla, celebrate, server } = here
  server.clock.advance(60_000)
  await celebrate()
  const [anniversary, birthday] = await feedOf(carla)
  if (!anniversary || !birthday) throw new Error("nobody is celebrated")

  for (const [{ id }, to] of [
    [anniversary, "bruno"],
    [birthday, "ana"],
  ] as const) {
    expect(await carla.post(`/api/v1/recognitions/${id}/points`, { value: 5 })).toMatchObject({
      status: 201,
      body: { items: [{ value: 5, to: { username: to }, adds_to: id }] },
    })
    await carla.call("PUT", `/api/v1/recognitions/${id}/reactions/🎂`)
    await carla.post(`/api/v1/recognitions/${id}/replies`, { text: "All the best!" })
  }
  expect(await feedOf(carla)).toMatchObject(
    [anniversary, birthday].map(({ id }) => ({
      id,
      added: { value: 5, count: 1, own: true },
      reactions: [{ emoji: "🎂", count: 1 }],
      replies: 1,
    })),
  )
  expect((await bruno.post(`/api/v1/recognitions/${anniversary.id}/points`, { value: 5 })).status).toBe(422)
  expect(await redeemableOf(ana)).toBe(25)
  expect(await leadersIn(carla)).toEqual(["carla", "ana", "bruno"])
})

test("where amounts are hidden, only the person who is celebrated and superusers see the points of the day", async () => {
  await using here = await company()
  const { server, ana, carla, celebrate } = here
  const admin = await server.admin()
  await admin.patch("/api/v1/programme", { amounts_shown: "concerned" })
  server.clock.advance(60_000)
  await celebrate()

  const birthdayFor = async (person: Pick<Person, "get">, path = "/api/v1/feed") =>
    (await person.get<{ items: readonly Entry[] }>(path)).body.items.find(
      ({ occasion }) => occasion?.kind === "birthday",
    )
  expect(await birthdayFor(ana)).toMatchObject({ value: 20, total: 20 })
  expect(await birthdayFor(admin)).toMatchObject({ value: 20, total: 20 })
  expect(await birthdayFor(carla)).toMatchObject({ value: null, total: null, taken_back: false })
  expect(await birthdayFor(admin, "/api/v1/wall")).toMatchObject({ value: null, total: null })
})
