import { expect, test } from "bun:test"
import { refused, unauthenticated } from "../../../support/answers.ts"
import { type Person, startTestServer } from "../../../support/server.ts"

const dayMs = 86_400_000

interface Suggestions {
  readonly items: readonly { readonly username: string; readonly because: string }[]
}

async function suggested(to: Person) {
  const { body } = await to.get<Suggestions>("/api/v1/suggestions")
  return body.items.map(({ username, because }) => `${username} ${because}`)
}

test("people thanked recently are suggested first, then people not thanked for long, but no leavers and not oneself", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  expect(await suggested(ana)).toEqual([])
  const [old, leaver, bruno, carla] = [
    await server.person("Otto", { dept: "support" }),
    await server.person("Leaver", { dept: "support" }),
    await server.person("Bruno", { dept: "support" }),
    await server.person("Carla"),
  ]
  const others = []
  for (const name of ["Eva", "Fritz", "Gil", "Hana", "Ida"]) others.push(await server.person(name, { dept: "support" }))
  await server.grant(ana, 100)
  await server.grant(bruno, 100)
  const thank = (from: Person, to: Person) => from.post("/api/v1/transactions", { to: to.username, value: 1 })
  await thank(ana, old)
  await thank(ana, leaver)
  server.clock.advance(40 * dayMs)
  const again = await server.as(ana)
  const anaNow = { ...ana, ...again }
  for (const other of others) await thank(anaNow, other)
  await thank({ ...bruno, ...(await server.as(bruno)) }, anaNow)
  await (await server.admin()).patch(`/api/v1/users/${leaver.username}`, { active: false })

  expect(await suggested(anaNow)).toEqual([
    "bruno recent",
    "ida recent",
    "hana recent",
    "gil recent",
    "fritz recent",
    `${old.username} overlooked`,
    `${carla.username} overlooked`,
  ])
  expect(await server.anybody.get("/api/v1/suggestions")).toEqual(unauthenticated)
})

test("each user can store up to ten reasons, which are in the export of their data and erased with it", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const items = ["Thank you for the review", "For the\nlate shift"]
  expect(await ana.get("/api/v1/me/templates")).toMatchObject({ status: 200, body: { items: [] } })
  const save = (what: unknown) => ana.call("PUT", "/api/v1/me/templates", { json: { items: what } })

  expect(await save([...items, ` ${items[0]} `, ""])).toMatchObject({ status: 200, body: { items } })
  expect(await ana.get("/api/v1/me/templates")).toMatchObject({ body: { items } })
  expect(await bruno.get("/api/v1/me/templates")).toMatchObject({ body: { items: [] } })
  expect(await save(Array.from({ length: 11 }, (_, index) => `reason ${index}`))).toEqual(
    refused(422, "items: at most 10 reasons"),
  )
  expect((await save(["x".repeat(501)])).status).toBe(422)
  expect((await save("one")).status).toBe(422)
  expect(JSON.stringify((await ana.get("/api/v1/users/ana/data")).body)).toContain("Thank you for the review")

  const admin = await server.admin()
  await admin.patch("/api/v1/users/ana", { active: false })
  await admin.post("/api/v1/users/ana/erasure", { reasons: "none" })
  expect(await server.app.store.users.templatesOf(2)).toEqual([])
})
