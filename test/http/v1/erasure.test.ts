import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { backUp } from "../../../src/storage/sqlite/maintenance/backup.ts"
import { verifyFile } from "../../../src/storage/sqlite/maintenance/verify.ts"
import { noSuchUser, refused, unauthenticated } from "../../support/answers.ts"
import { type Person, startTestServer, type TestServer } from "../../support/server.ts"

const bytes = (text: string) => new Uint8Array([0xff, 0xd8, 0xff, ...Buffer.from(text)])

/** Zoë works here for a while, with colleagues: everything that is stored of her holds one of `traces`. */
async function workedHere(server: TestServer) {
  const admin = await server.admin()
  const colleagues = [await server.person("Ana"), await server.person("Bruno")] as const
  const zoe = await server.person("Zoëtrope Nadel", { email: "z.nadel@first.example" })
  const path = `/transaction/${encodeURIComponent(zoe.username)}/`
  for (const person of [...colleagues, zoe]) await server.grant(person, 500)
  for (let round = 0; round < 40; round += 1) {
    const post = { value: 1, reason: `trace-written-${round} ${"w".repeat(round * 9)}` }
    await zoe.call("POST", "/transaction/ana/", { json: post, headers: { "idempotency-key": `trace-key-${round}` } })
    await colleagues[0].post(path, { value: 1, reason: `trace-received-${round} ${"r".repeat(round * 11)}` })
    await colleagues[1].post("/transaction/ana/", { value: 1, reason: `kept-${round}` })
  }
  await zoe.post("/api/v1/recognitions/5/replies", { text: "trace-of-a-reply" })
  await zoe.call("PUT", "/api/v1/me/avatar", { body: bytes("trace-of-a-picture") })
  await zoe.patch("/api/v1/me", { name: "Trace Ofaname", bio: "trace-of-a-bio" })
  await zoe.patch("/api/v1/me", { name: "Zoëtrope Nadel" })
  await server.withSession(zoe)
  await server.anybody.submit("/token", { username: zoe.username, password: "wrong" })
  await server.anybody.submit("/token", { username: zoe.username, password: "wrong" })
  await admin.patch(`/api/v1/users/${encodeURIComponent(zoe.username)}`, { email: "z.nadel@second.example" })
  await server.anybody.post("/user/pwd_reset_token/", { email: "Z.NADEL@second.example" })
  await housekeeping(server)
  return { admin, colleagues, zoe, account: `/api/v1/users/${encodeURIComponent(zoe.username)}` }
}

async function housekeeping({ app, clock }: TestServer) {
  for (const task of app.housekeeping) await task(clock.now())
}

const traces = [
  "zoëtrope",
  "nadel",
  "trace-of",
  "trace ofaname",
  "trace-written",
  "trace-received",
  "trace-key",
  "trace-of-a-reply",
]

/** Those of the texts that a file holds, in any case. */
function foundIn(file: string, texts: readonly string[]): string[] {
  const content = existsSync(file) ? readFileSync(file).toString("utf8").toLowerCase() : ""
  return texts.filter((text) => content.includes(text))
}

async function everywhere(server: TestServer, texts: readonly string[]) {
  const { path } = server.app.config.db
  const backup = `${path}.copy`
  await backUp({ path, file: backup, now: server.clock.now() })
  return [path, `${path}-wal`, backup].flatMap((file) => foundIn(file, texts))
}

test("after an erasure no file of the database, and no backup, holds a name, address or word of the person", async () => {
  await using server = await startTestServer()
  const { admin, account, zoe, colleagues } = await workedHere(server)
  expect(await everywhere(server, traces)).toEqual(expect.arrayContaining([...traces]))
  await admin.patch(account, { active: false, return_points: true })

  const erased = await admin.post(`${account}/erasure`, { reasons: "all" })

  expect(erased).toMatchObject({
    status: 200,
    body: { username: "erased-4", name: "Former colleague", email: "erased-4@erased.invalid", bio: null, avatar: null },
  })
  expect(await everywhere(server, traces)).toEqual([])
  server.clock.advance(10 * 60_000)
  await housekeeping(server) // writes what it kept in memory of log-ins
  expect(await everywhere(server, traces)).toEqual([])
  expect(await everywhere(server, ["kept-7"])).toContain("kept-7")
  expect(verifyFile({ path: server.app.config.db.path, accepts: false })).toEqual({ transactions: 124, findings: [] })
  expect(await admin.get(account)).toEqual(noSuchUser)
  expect(await zoe.get("/api/v1/me")).toEqual(unauthenticated)

  const items = (await colleagues[0].get<{ items: { sender: { username: string } }[] }>("/api/v1/feed?username=ana"))
    .body
  expect(JSON.stringify(items)).toContain("Former colleague")
  expect((await colleagues[0].get("/transaction/?order_by=from_user&size=100")).status).toBe(200)
  expect(JSON.stringify((await colleagues[0].get("/transaction/")).body)).toContain("erased-4")
})

test("only the reasons that were asked for are erased; what others wrote stays", async () => {
  await using server = await startTestServer()
  const { admin, account } = await workedHere(server)
  await admin.patch(account, { active: false })

  expect(await admin.post(`${account}/erasure`, {})).toMatchObject({ status: 200 })
  expect(await everywhere(server, ["trace-written-7 ", "trace-received-7 ", "nadel"])).toHaveLength(4)
  expect(await admin.post("/api/v1/users/erased-4/erasure", { reasons: "written" })).toMatchObject({ status: 200 })

  expect(new Set(await everywhere(server, ["trace-written", "trace-received"]))).toEqual(new Set(["trace-received"]))
  expect(verifyFile({ path: server.app.config.db.path, accepts: false }).findings).toEqual([])
})

test("an active account is not erased, an erased one not reactivated, and members may do neither", async () => {
  await using server = await startTestServer()
  const [admin, ana]: [Person, Person] = [await server.admin(), await server.person("Ana")]

  expect(await admin.post("/api/v1/users/ana/erasure", { reasons: "all" })).toEqual(
    refused(409, "Deactivate the account first"),
  )
  expect(await ana.post("/api/v1/users/ana/erasure", {})).toEqual(refused(403, "Not a super user"))
  expect(await admin.post("/api/v1/users/nobody/erasure", {})).toEqual(noSuchUser)
  await admin.patch("/api/v1/users/ana", { active: false })
  expect(await admin.post("/api/v1/users/ana/erasure", { reasons: "some" })).toMatchObject({ status: 422 })
  expect(await admin.post("/api/v1/users/ana/erasure", {})).toMatchObject({ status: 200 })
  for (const change of [{ active: true }, { name: "Ana" }])
    expect(await admin.patch("/api/v1/users/erased-2", change)).toEqual(refused(409, "This account was erased"))
  const entries = await server.app.store.audit.list({ user: "erased-2", limit: 9 })
  expect(entries.map(({ action }) => action)).toEqual(["user_created", "login", "user_deactivated", "user_erased"])
  expect(entries[1]).toMatchObject({ who: "erased-2", address: null })
})

test("a new person may have the username that an erased one had, and no token of theirs", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await admin.patch("/api/v1/users/ana", { active: false })
  await admin.post("/api/v1/users/ana/erasure", {})

  const other = await server.person("Ana", { email: "other@example.com" })

  expect(await other.get("/api/v1/me")).toMatchObject({ status: 200, body: { email: "other@example.com" } })
  expect(await ana.get("/api/v1/me")).toEqual(unauthenticated)
  expect(await server.anybody.post("/refresh_token", { refresh_token: ana.refreshToken })).toEqual(unauthenticated)
})

test("what is stored about a person is one document, for them and for superusers; like other downloads, two at once", async () => {
  await using server = await startTestServer()
  const { admin, zoe, colleagues, account } = await workedHere(server)

  const { status, body } = await zoe.get<Record<string, { reason?: string }[]>>(`${account}/data`)

  expect(status).toBe(200)
  expect(body).toMatchObject({
    account: [{ name: "Zoëtrope Nadel", bio: "trace-of-a-bio" }],
    picture: [{ kind: "jpeg", base64: Buffer.from(bytes("trace-of-a-picture")).toString("base64") }],
    replies: [{ text: "trace-of-a-reply" }],
  })
  expect(body.transactions).toHaveLength(81)
  expect(body.idempotency_keys).toHaveLength(40)
  expect(JSON.stringify(body)).not.toContain("kept-")
  expect(await admin.get(`${account}/data`)).toMatchObject({ status: 200 })
  expect(await colleagues[0].get(`${account}/data`)).toEqual(refused(403, "You can only see your own data"))
})

test("downloads of personal data and of insights count among the two that one person may run at once", async () => {
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
