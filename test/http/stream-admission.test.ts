import { expect, test } from "bun:test"
import { watch } from "../stream/watching.ts"
import { bearer, startTestServer, type TestServer } from "../support/server.ts"

const settings = { "stream.access": "auth", "stream.poll_interval_seconds": "0.05" }
const notAdmitted = 1008

async function watchAs(server: TestServer, headers: Readonly<Record<string, string>>) {
  const stream = watch(`${server.url.replace("http", "ws")}/transaction/ws`, headers)
  await stream.opened
  return stream
}

test("a stream is closed with 1008 when its session ends; those of other sessions go on", async () => {
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

test("a password changed by a superuser closes every stream of that user, and of nobody else", async () => {
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

test("a change of the own password closes the streams of the other sessions, not that of the one that did it", async () => {
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const [session, other] = [await server.withSession(ana), await server.withSession(ana)]
  const [going, stream] = [await watchAs(server, session.credentials), await watchAs(server, other.credentials)]

  await session.post("/user/ana/password/", { password: "new", password_confirm: "new" })
  expect(await stream.closed).toBe(notAdmitted)
  await server.grant(ana, 5)

  expect(await going.seen(1)).toHaveLength(1)
})

test("where the stream is open to anybody, no credential closes it", async () => {
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
