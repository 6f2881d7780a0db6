import { expect, test } from "bun:test"
import { noSuchUser, refused } from "../../../support/answers.ts"
import { type Person, startTestServer } from "../../../support/server.ts"

const path = "/api/v1/transactions"
const reused = refused(409, "This reference was used for another request")
const aYear = 365 * 24 * 3_600_000

interface Page {
  readonly items: readonly { readonly id: number; readonly reference: string | null }[]
  readonly next: string | null
}

/** Ana with 200 points (transaction 1), Bruno and Carla of sales, and Davi of support. */
async function company(settings: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({ settings: { "recognition.tags": "care", ...settings } })
  const ana = await server.person("Ana", { dept: "design" })
  const [bruno, carla] = [await server.person("Bruno"), await server.person("Carla")]
  const davi = await server.person("Davi", { dept: "support" })
  await server.grant(ana, 200)
  return { server, ana, bruno, carla, davi, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const listed = async (person: Person, query = "") => {
  const { body } = await person.get<Page>(`${path}${query}`)
  return body.items.map(({ id, reference }) => [id, reference])
}
const balanceOf = async (person: Pick<Person, "get">) =>
  (await person.get<{ balance: number }>("/api/v1/me")).body.balance

const thanks = { to: "bruno", value: 5, reason: "for the fair", tags: ["care"], reference: "fair/2026 № 7" }

test("the same request with its reference answers as the first time, however late and whoever has left", async () => {
  await using here = await company()
  const { server, ana, bruno } = here
  const admin = await server.admin()
  const first = await ana.post<object>(path, thanks)
  expect(first).toMatchObject({ status: 201, body: { id: 2, reference: "fair/2026 № 7", replayed: false } })

  expect(await ana.post(path, { ...thanks, reason: " for the fair\n", private: false })).toEqual({
    status: 201,
    body: { ...first.body, replayed: true },
  })
  expect(await admin.patch(`/api/v1/users/${bruno.username}`, { active: false })).toMatchObject({ status: 200 })
  server.clock.advance(3 * aYear)
  const again = await server.as(ana)

  expect(await again.post(path, thanks)).toEqual({ status: 201, body: { ...first.body, replayed: true } })
  expect(await again.post(path, { ...thanks, reference: "another" })).toEqual(noSuchUser)
  expect(await balanceOf(again)).toBe(195)
})

test("another request with the reference is refused, also one to another person or without the reason", async () => {
  await using here = await company()
  const { ana, bruno } = here
  await ana.post(path, thanks)

  for (const other of [
    { ...thanks, value: 6 },
    { ...thanks, to: "carla" },
    { ...thanks, to: ["bruno"] },
    { ...thanks, reason: null },
    { ...thanks, private: true },
    { ...thanks, tags: [] },
  ])
    expect(await ana.post(path, other)).toEqual(reused)
  expect(await ana.post("/api/v1/grants", { usernames: ["bruno"], value: 5, reference: thanks.reference })).toEqual(
    reused,
  )
  expect(await bruno.post(path, { to: "ana", value: 1, reference: thanks.reference })).toMatchObject({
    status: 201,
    body: { replayed: false },
  })
  expect(await balanceOf(ana)).toBe(196)
})

test("a refused request leaves its reference free, and the contract's endpoint takes none", async () => {
  await using here = await company()
  const { ana } = here

  expect(await ana.post(path, { ...thanks, value: 500 })).toMatchObject(refused(400, "Insufficient balance"))
  expect(await ana.post(path, thanks)).toMatchObject({ status: 201, body: { id: 2, replayed: false } })
  expect(await ana.post("/transaction/bruno/", { value: 1, reference: thanks.reference })).toMatchObject({
    status: 201,
  })
  expect(await listed(ana, "?size=1")).toEqual([[3, null]])
})

test("a reference has 1 to 128 printable characters", async () => {
  await using here = await company()
  const { ana } = here
  const rule = refused(422, "reference: 1 to 128 visible characters on one line")

  for (const reference of ["", " ", "a\nb", "a\u0000b", "a\u200bb", "\u202ea", "a".repeat(129), "\ud800"])
    expect(await ana.post(path, { to: "bruno", value: 1, reference })).toEqual(rule)
  for (const reference of [7, true, ["a"], {}])
    expect(await ana.post(path, { to: "bruno", value: 1, reference })).toMatchObject({ status: 422 })
  expect(await ana.post(path, { to: "nobody", value: "x", reference: "a" })).toEqual(noSuchUser)
  expect(await ana.get(`${path}?reference=`)).toEqual(rule)
  expect(await ana.post(path, { to: "bruno", value: 1, reference: "👏".repeat(128) })).toMatchObject({ status: 201 })
  expect(await ana.post(path, { to: "bruno", value: 1, reference: null })).toMatchObject({ body: { reference: null } })
  expect(await ana.post(path, { to: "bruno", value: 1, reference: "cafe\u0301" })).toMatchObject({
    body: { reference: "café", replayed: false },
  })
  expect(await ana.post(path, { to: "bruno", value: 1, reference: "caf\u00e9" })).toMatchObject({
    body: { replayed: true },
  })
})

test("twenty requests at once with the same reference make one transaction, and all get it", async () => {
  await using here = await company()
  const { ana, bruno } = here

  const answers = await Promise.all(Array.from({ length: 20 }, () => ana.post<{ replayed: boolean }>(path, thanks)))

  expect(answers.filter(({ body }) => !body.replayed)).toHaveLength(1)
  for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: { id: 2, value: 5 } })
  expect(await balanceOf(bruno)).toBe(5)
})

test("several people thanked at once, and a grant, are repeated as a whole", async () => {
  await using here = await company()
  const { server, ana } = here
  const group = { to: ["bruno", "carla"], value: 5, reason: "the fair", reference: "group" }
  const grant = { depts: ["sales"], usernames: ["davi"], value: 10, reference: "grant" }

  const thanked = await ana.post<object>(path, group)
  const granted = await ana.post<object>("/api/v1/grants", grant)
  await server.person("Eva")

  expect(thanked).toMatchObject({ status: 201, body: { items: [{ reference: "group" }, { reference: "group" }] } })
  expect(await ana.post(path, group)).toEqual({ status: 201, body: { ...thanked.body, replayed: true } })
  expect(granted).toMatchObject({ status: 201, body: { ids: [4, 5, 6], left: 160 } })
  expect(await ana.post("/api/v1/grants", grant)).toEqual({ status: 201, body: { ...granted.body, replayed: true } })
  expect(await ana.post("/api/v1/grants", { ...grant, value: 11 })).toEqual(reused)
  expect(await listed(ana)).toEqual([
    [6, "grant"],
    [5, "grant"],
    [4, "grant"],
    [3, "group"],
    [2, "group"],
    [1, null],
  ])
})

test("only the sender and superusers see a reference: in lists, files and the look-up", async () => {
  await using here = await company()
  const { server, ana, bruno } = here
  const admin = await server.admin()
  await ana.post(path, { ...thanks, to: ["bruno", "carla"] })
  await bruno.post(path, { to: "ana", value: 1, reference: thanks.reference })
  const wanted = `?reference=${encodeURIComponent(thanks.reference)}`
  const column = async (person: Person) => {
    const { body } = await person.get<string>(`${path}.csv`)
    const [header = [], ...rows] = body.split("\r\n").map((line) => line.split(","))
    return rows.slice(0, -1).map((cells) => cells[header.indexOf("reference")])
  }

  expect(await listed(bruno)).toEqual([
    [4, thanks.reference],
    [2, null],
  ])
  expect(await listed(bruno, "?ids=2,4")).toEqual([
    [4, thanks.reference],
    [2, null],
  ])
  expect(await column(bruno)).toEqual(["", thanks.reference])
  expect(await column(admin)).toEqual(["", ...Array(3).fill(thanks.reference)])
  expect(await listed(bruno, wanted)).toEqual([[4, thanks.reference]])
  expect((await listed(ana, wanted)).map(([id]) => id)).toEqual([3, 2])
  expect((await listed(admin, wanted)).map(([id]) => id)).toEqual([4, 3, 2])
  expect((await listed(admin, `${wanted}&username=ana`)).map(([id]) => id)).toEqual([3, 2])
  expect(await listed(ana, "?reference=unknown")).toEqual([])
  expect(await admin.get(`${path}${wanted}&size=2`)).toMatchObject({
    body: { items: [{ id: 4 }, { id: 3 }], next: "3" },
  })
  expect(await admin.get(`${path}${wanted}&size=2&before=3`)).toMatchObject({
    body: { items: [{ id: 2 }], next: null },
  })
  expect(JSON.stringify((await admin.get("/api/v1/events")).body)).not.toContain(thanks.reference)
  expect(JSON.stringify((await bruno.get("/api/v1/feed")).body)).not.toContain(thanks.reference)
})

test("a reference and an Idempotency-Key belong to the same request", async () => {
  await using here = await company()
  const { ana } = here
  const send = (key: string, body: object) =>
    ana.call("POST", path, { json: body, headers: { "idempotency-key": key } })

  expect(await send("one", thanks)).toMatchObject({ status: 201, body: { id: 2, replayed: false } })
  expect(await send("two", thanks)).toMatchObject({ status: 201, body: { id: 2, replayed: true } })
  expect(await send("one", { ...thanks, reference: "another" })).toEqual(
    refused(409, "This Idempotency-Key was used for another request"),
  )
})
