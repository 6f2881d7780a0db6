import { expect, test } from "bun:test"
import { noSuchUser, refused, unauthenticated } from "../../../support/answers.ts"
import { pngOf } from "../../../support/pictures.ts"
import { type Person, startTestServer } from "../../../support/server.ts"
import { workedHere } from "./worked-here.ts"

test("an active account cannot be erased, an erased one not reactivated, and members can do neither", async () => {
  await using server = await startTestServer()
  const [admin, ana]: [Person, Person] = [await server.admin(), await server.person("Ana")]

  expect(await admin.post("/api/v1/users/ana/erasure", { reasons: "all" })).toEqual(
    refused(409, "Deactivate the account first"),
  )
  expect(await ana.post("/api/v1/users/ana/erasure", {})).toEqual(refused(403, "Not a super user"))
  expect(await admin.post("/api/v1/users/nobody/erasure", {})).toEqual(noSuchUser)
  await admin.patch("/api/v1/users/ana", { active: false })
  expect(await admin.post("/api/v1/users/ana/erasure", { reasons: "some" })).toMatchObject({ status: 422 })
  expect(await admin.post("/api/v1/users/ana/erasure", {})).toEqual(refused(422, "reasons: missing"))
  expect(await admin.post("/api/v1/users/ana/erasure", { reasons: "none" })).toMatchObject({ status: 200 })
  for (const change of [{ active: true }, { name: "Ana" }])
    expect(await admin.patch("/api/v1/users/erased-2", change)).toEqual(refused(409, "This account was erased"))
  const entries = await server.app.store.audit.list({ user: "erased-2", limit: 9 })
  expect(entries.map(({ action }) => action)).toEqual(["user_created", "login", "user_deactivated", "user_erased"])
  expect(entries[1]).toMatchObject({ who: "erased-2", address: null })
})

test("an account that was deactivated while the clock ran ahead can be erased", async () => {
  await using server = await startTestServer({ settings: { "security.access_token_expire_minutes": "5000000" } })
  const admin = await server.admin()
  await server.person("Ana")
  server.clock.advance(3_600_000)
  expect(await admin.patch("/api/v1/users/ana", { active: false })).toMatchObject({ status: 200 })
  server.clock.advance(-3_600_000)

  expect(await admin.post("/api/v1/users/ana/erasure", { reasons: "none" })).toMatchObject({ status: 200 })
})

test("a new person can get an erased person's username, but the old tokens do not work", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await admin.patch("/api/v1/users/ana", { active: false })
  await admin.post("/api/v1/users/ana/erasure", { reasons: "none" })

  const other = await server.person("Ana", { email: "other@example.com" })

  expect(await other.get("/api/v1/me")).toMatchObject({ status: 200, body: { email: "other@example.com" } })
  expect(await ana.get("/api/v1/me")).toEqual(unauthenticated)
  expect(await server.anybody.post("/refresh_token", { refresh_token: ana.refreshToken })).toEqual(unauthenticated)
})

test("a person and superusers can download what is stored about that person; as with other downloads, two at once", async () => {
  await using server = await startTestServer()
  const { admin, zoe, colleagues, account } = await workedHere(server)

  const { status, body } = await zoe.get<Record<string, { reason?: string }[]>>(`${account}/data`)

  expect(status).toBe(200)
  expect(body).toMatchObject({
    account: [{ name: "Zoëtrope Nadel", bio: "trace-of-a-bio" }],
    picture: [{ kind: "png", base64: pngOf({ text: "trace-of-a-picture" }).toBase64() }],
    replies: [{ text: "trace-of-a-reply" }],
  })
  expect(body.transactions).toHaveLength(81)
  expect(body.idempotency_keys).toHaveLength(40)
  expect(JSON.stringify(body)).not.toContain("kept-")
  expect(await admin.get(`${account}/data`)).toMatchObject({ status: 200 })
  expect(await colleagues[0].get(`${account}/data`)).toEqual(refused(403, "You can only see your own data"))
})

test("downloads of personal data and of insights count toward the two that one person can run at once", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  async function* held() {
    yield { list: "account", rows: [] }
    await released
  }
  await using server = await startTestServer({
    replace: ({ exports }) => ({ exports: { ...exports, personalData: async () => held() } }),
  })
  const admin = await server.admin()
  const running = await Promise.all([1, 2].map(() => admin.request("GET", "/api/v1/users/admin/data")))

  const answers = await Promise.all(
    ["users/admin/data", "insights/tags.csv"].map((path) => admin.request("GET", `/api/v1/${path}`)),
  )

  expect(answers.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
    [429, "5"],
    [429, "5"],
  ])
  release()
  for (const response of running) await response.arrayBuffer()
  expect(await admin.get("/api/v1/insights/tags.csv")).toMatchObject({ status: 200 })
})
