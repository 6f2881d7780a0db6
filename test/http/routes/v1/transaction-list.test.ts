import { expect, test } from "bun:test"
import { noSuchUser, refused } from "../../../support/answers.ts"
import { startOfTests } from "../../../support/app.ts"
import type { Client } from "../../../support/client.ts"
import { startTestServer } from "../../../support/server.ts"

interface Page {
  readonly items: readonly { readonly id: number }[]
  readonly next: string | null
}

const path = "/api/v1/transactions"

/** 1: 100 of admin to Ana; 2: Ana to Bruno with a tag; the next day 3: Ana to Bruno in private, 4 and 5: a grant to both. */
async function company() {
  const server = await startTestServer({ settings: { "recognition.tags": "care,team" } })
  const people = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")] as const
  await server.grant(people[0], 100)
  await people[0].post(path, { to: "bruno", value: 1, reason: "A résumé of the REVIEW", tags: ["care"] })
  server.clock.advance(24 * 3_600_000)
  const [ana, bruno, carla] = [await server.as(people[0]), await server.as(people[1]), await server.as(people[2])]
  const admin = await server.admin()
  await ana.post(path, { to: "bruno", value: 2, reason: "Between us: review", private: true })
  await admin.post("/api/v1/grants", { value: 5, usernames: ["ana", "bruno"], reason: "Budget" })
  return { admin, ana, bruno, carla, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function idsOf(client: Pick<Client, "get">, query = ""): Promise<number[]> {
  const { body } = await client.get<Page>(`${path}?${query}`)
  return body.items.map(({ id }) => id)
}

test("an item has kind, people, reason, tags and what was reversed", async () => {
  await using here = await company()

  const { status, body } = await here.bruno.get<Page>(path)
  expect(status).toBe(200)
  expect(body).toEqual({
    items: [
      expect.objectContaining({ id: 5, kind: "grant", reason: "Budget" }),
      expect.objectContaining({ id: 3, kind: "transfer", reason: "Between us: review", private: true }),
      {
        id: 2,
        kind: "transfer",
        date: `${startOfTests}Z`,
        value: 1,
        from: { username: "ana", name: "Ana" },
        to: { username: "bruno", name: "Bruno" },
        reason: "A résumé of the REVIEW",
        tags: ["care"],
        private: false,
        reverses: null,
        reversed: 0,
        reference: null,
        group: null,
        adds_to: null,
      },
    ],
    next: null,
  })
})

test("transactions can be requested by ids; those of others, unknown and repeated ids are left out", async () => {
  await using here = await company()

  expect(await idsOf(here.admin, "ids=2,4,3,2,99")).toEqual([4, 3, 2])
  expect(await idsOf(here.ana, "ids=5,4&kind=transfer&size=1")).toEqual([4])
  expect(await idsOf(here.admin, "username=bruno&ids=1,2,5")).toEqual([5, 2])
  for (const ids of ["", "0", "1.5", "a", "1,", `${"1,".repeat(100)}1`])
    expect(await here.ana.get(`${path}?ids=${ids}`)).toEqual(
      refused(422, "ids: at most 100 ids of transactions, separated by commas"),
    )
  expect(await here.ana.get(`${path}?ids=${"1,".repeat(99)}1`)).toMatchObject({ status: 200 })
})

test("users see their own transactions, superusers all; only sender and receiver see a private reason", async () => {
  await using here = await company()

  expect(await idsOf(here.ana)).toEqual([4, 3, 2, 1])
  expect(await idsOf(here.bruno)).toEqual([5, 3, 2])
  expect(await idsOf(here.carla)).toEqual([])
  expect(await idsOf(here.admin)).toEqual([5, 4, 3, 2, 1])
  expect(await idsOf(here.bruno, "user=ana")).toEqual([])
  expect(await idsOf(here.admin, "username=bruno")).toEqual([5, 3, 2])
  expect(await idsOf(here.bruno, "username=bruno&from_user=ana")).toEqual([3, 2])
  expect(await here.bruno.get(`${path}?username=ana`)).toEqual(refused(403, "You can only see your own transactions"))
  expect(await here.bruno.get(`${path}?username=nobody`)).toEqual(noSuchUser)
  const { body } = await here.admin.get<Page>(path)
  expect(body.items.find(({ id }) => id === 3)).toMatchObject({ reason: null, private: true })
})

test("transactions can be filtered by people, kind, tag, text and days; only sender and receiver find a private reason", async () => {
  await using here = await company()

  expect(await idsOf(here.admin, "user=bruno")).toEqual([5, 3, 2])
  expect(await idsOf(here.admin, "from_user=ana")).toEqual([3, 2])
  expect(await idsOf(here.admin, "from_user=admin&user=ana")).toEqual([4, 1])
  expect(await idsOf(here.admin, "user=nobody")).toEqual([])
  expect(await idsOf(here.admin, "kind=grant")).toEqual([5, 4])
  expect(await idsOf(here.admin, "kind=reversal")).toEqual([])
  expect(await idsOf(here.admin, "tag=care")).toEqual([2])
  expect(await idsOf(here.admin, "q=resume")).toEqual([2])
  expect(await idsOf(here.admin, "q=review")).toEqual([2])
  expect(await idsOf(here.bruno, "q=review")).toEqual([3, 2])
  expect(await idsOf(here.ana, "q=review&tag=care")).toEqual([2])
  expect(await idsOf(here.admin, "to=2026-01-05")).toEqual([2, 1])
  expect(await idsOf(here.admin, "from=2026-01-06")).toEqual([5, 4, 3])
  expect(await idsOf(here.admin, "from=2026-01-05&to=2026-01-06&kind=transfer&user=bruno")).toEqual([3, 2])
  expect(await idsOf(here.admin, "from=2026-01-07")).toEqual([])
})

test("`next` leads through all of them once, to the end", async () => {
  await using here = await company()
  const seen: number[] = []

  for (let next: string | null = "9"; next !== null; ) {
    const { body }: { body: Page } = await here.admin.get<Page>(`${path}?size=2&before=${next}`)
    seen.push(...body.items.map(({ id }) => id))
    next = body.next
  }
  expect(seen).toEqual([5, 4, 3, 2, 1])
})

test("invalid parameters are refused with their names", async () => {
  await using here = await company()

  const kinds = "transfer, grant, allowance, expiry, redemption, refund, reversal, occasion"
  for (const [query, detail] of [
    ["kind=gift", `kind: one of ${kinds}`],
    ["from=2026-02-30", "from: a day, YYYY-MM-DD"],
    ["to=yesterday", "to: a day, YYYY-MM-DD"],
    ["size=0", "size: an integer from 1 to 100"],
    ["before=0", "before: the id of a transaction"],
    [`q=${"x".repeat(101)}`, "q: at most 100 characters"],
  ])
    expect(await here.ana.get(`${path}?${query}`)).toEqual(refused(422, detail ?? ""))
})
