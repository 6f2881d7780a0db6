import { expect, test } from "bun:test"
import { watch } from "../stream/watching.ts"
import { bearer } from "../support/credentials.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

const settings = { "stream.access": "auth", "stream.poll_interval_seconds": "0.05" }
const notAdmitted = 1008

async function watchAs(server: TestServer, headers: Readonly<Record<string, string>>) {
  const stream = watch(`${server.url.replace("http", "ws")}/transaction/ws`, headers)
  await stream.opened
  return stream
}

test("a stream is closed with 1008 when its session ends; those of other sessions stay open", async () => {
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const [session, other] = [await server.withSession(ana), await server.withSession(ana)]
  const [stream, going] = [await watchAs(server, session.credentials), await watchAs(server, other.credentials)]

  await session.post("/logout")
  expect(await stream.closed).toBe(notAdmitted)
  await server.grant(ana, 5)

  expect(await going.seen(1)).toEqual([{ to: "Ana", from: "Admin", value: 5 }])
  expect(stream.frames).toEqual([])
})

test("a stream is closed with 1008 when its token or its session expires", async () => {
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const session = await server.withSession(ana)
  const byToken = await watchAs(server, bearer(ana.accessToken))
  const bySession = await watchAs(server, session.credentials)

  server.clock.advance(30 * 60_000)
  expect(await byToken.closed).toBe(notAdmitted)
  await server.grant(ana, 5)
  expect(await bySession.seen(1)).toHaveLength(1)

  server.clock.advance(7 * 24 * 60 * 60_000)
  expect(await bySession.closed).toBe(notAdmitted)
})

test("a password change by a superuser closes every stream of that user and of nobody else", async () => {
  await using server = await startTestServer({ settings })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const session = await server.withSession(ana)
  const streams = [await watchAs(server, bearer(ana.accessToken)), await watchAs(server, session.credentials)]
  const brunos = await watchAs(server, bearer(bruno.accessToken))

  const admin = await server.admin()
  await admin.post("/user/ana/password/", { password: "new", password_confirm: "new" })
  expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual([notAdmitted, notAdmitted])
  await server.grant(ana, 5)

  expect(await brunos.seen(1)).toHaveLength(1)
})

test("a new username closes the app's stream of that user, which then asks who it is, and no stream of the contract", async () => {
  await using server = await startTestServer({ settings })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const ofContract = await watchAs(server, bearer(ana.accessToken))
  const ofApp = (token: string) => watch(`${server.url.replace("http", "ws")}/api/v1/stream`, bearer(token))
  const [anas, brunos] = [ofApp(ana.accessToken), ofApp(bruno.accessToken)]
  await Promise.all([anas.opened, brunos.opened])

  await (await server.admin()).patch("/api/v1/users/ana", { username: "ana-costa" })
  expect(await anas.closed).toBe(notAdmitted)
  const again = ofApp(ana.accessToken)
  await again.opened
  await server.grant({ username: "ana-costa" }, 5)
  expect(await ofContract.seen(1)).toHaveLength(1)
  await brunos.until((frame) => "value" in frame)
  await again.until((frame) => "value" in frame)
})

test("ending all other sessions closes the streams of tokens too, except that of the caller", async () => {
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const again = await server.as(ana)
  const [kept, other] = [
    await watchAs(server, bearer(ana.accessToken)),
    await watchAs(server, bearer(again.accessToken)),
  ]

  await ana.call("DELETE", "/api/v1/me/sessions")
  expect(await other.closed).toBe(notAdmitted)
  await server.grant(ana, 5)
  expect(await kept.seen(1)).toHaveLength(1)

  await again.call("DELETE", "/api/v1/me/sessions") // it has ended, and ends nothing
  const session = await server.withSession(ana)
  await session.call("DELETE", "/api/v1/me/sessions")
  expect(await kept.closed).toBe(notAdmitted)
})

test("changing one's own password closes the streams of other sessions, not of the one that did it", async () => {
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const [session, other] = [await server.withSession(ana), await server.withSession(ana)]
  const [going, stream] = [await watchAs(server, session.credentials), await watchAs(server, other.credentials)]

  await session.post("/user/ana/password/", { password: "new", password_confirm: "new" })
  expect(await stream.closed).toBe(notAdmitted)
  await server.grant(ana, 5)

  expect(await going.seen(1)).toHaveLength(1)
})

test("if the stream is public, the end of a credential does not close it", async () => {
  await using server = await startTestServer({ settings: { ...settings, "stream.access": "public" } })
  const ana = await server.person("Ana")
  const stream = await watchAs(server, bearer(ana.accessToken))
  const other = await startTestServer({ settings })
  const judged = await watchAs(other, bearer((await other.person("Ana")).accessToken))

  for (const { clock } of [server, other]) clock.advance(31 * 60_000)
  await judged.closed
  await server.grant(ana, 5)

  expect(await stream.seen(1)).toHaveLength(1)
  await other[Symbol.asyncDispose]()
})

const own = { ...settings, "recognition.feed": "own" }

test("with recognition.feed = own, members get only their own transactions, live and from the beginning", async () => {
  await using server = await startTestServer({ settings: own })
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  const admin = await server.admin()
  await server.grant(ana, 10)
  await server.grant(bruno, 20)
  const session = await server.withSession(ana)
  const [anas, brunos, carlas, all] = [
    await watchAs(server, session.credentials),
    await watchAs(server, bearer(bruno.accessToken)),
    await watchAs(server, bearer(carla.accessToken)),
    await watchAs(server, bearer(admin.accessToken)),
  ]
  await all.seen(2)

  await ana.post("/transaction/bruno/", { value: 1 })
  await bruno.post("/transaction/admin/", { value: 2 })
  await server.grant(carla, 3)

  const values = async (stream: typeof all, count: number) =>
    (await stream.seen(count)).map((frame) => (frame as { value: number }).value)
  expect(await values(all, 5)).toEqual([10, 20, 1, 2, 3])
  expect(await values(carlas, 1)).toEqual([3])
  expect(await values(anas, 2)).toEqual([10, 1])
  expect(await values(brunos, 3)).toEqual([20, 1, 2])
  const resumed = watch(`${server.url.replace("http", "ws")}/transaction/ws?after=1`, bearer(ana.accessToken))
  expect(await resumed.seen(1)).toMatchObject([{ to: "Bruno", from: "Ana", value: 1, id: 3 }])
})

test("with recognition.feed = own, the wall's key and a public stream still show everybody's names and points", async () => {
  const key = "a-key-that-nobody-guesses_1"
  await using server = await startTestServer({ settings: { ...own, "stream.wall_key": key } })
  await using open = await startTestServer({ settings: { ...own, "stream.access": "public" } })
  for (const [at, headers] of [
    [server, { cookie: `wall_key=${key}` }],
    [open, {}],
  ] as const) {
    await at.grant(await at.person("Ana"), 5)
    const stream = await watchAs(at, headers)
    expect(await stream.seen(1)).toEqual([{ to: "Ana", from: "Admin", value: 5 }])
  }
})

test("a superuser who becomes a member loses the stream of all transactions and can open their own", async () => {
  await using server = await startTestServer({ settings: own })
  const elena = await server.person("Elena", { dept: "management" })
  const stream = await watchAs(server, bearer(elena.accessToken))

  const { id } = await server.app.access.toUser("elena")
  await server.app.store.users.correct(id, { dept: "sales" })
  expect(await stream.closed).toBe(notAdmitted)
  const again = await watchAs(server, bearer(elena.accessToken))
  await server.grant(elena, 5)
  expect(await again.seen(1)).toEqual([{ to: "Elena", from: "Admin", value: 5 }])
})
