import { expect, test } from "bun:test"
import type { NoteRequest } from "../../../../src/domain/ledger/notes.ts"
import { watch } from "../../../stream/watching.ts"
import { refused, unauthenticated } from "../../../support/answers.ts"
import { handshake } from "../../../support/client.ts"
import { bearer } from "../../../support/credentials.ts"
import { type Person, startTestServer, type TestServer } from "../../../support/server.ts"
import { until } from "../../../support/until.ts"

const settings = { "recognition.tags": "help", "stream.poll_interval_seconds": "0.05" }
const notAdmitted = 1008

interface Message {
  readonly id?: number
  readonly through?: number
  readonly reason?: string | null
  readonly programme?: string
}

async function company(more: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({ settings: { ...settings, ...more } })
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  for (const person of [ana, bruno, carla]) await server.grant(person, 100)
  return { server, ana, bruno, carla, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** Opened, and caught up: `messages` are those that came, entries and heartbeats apart. */
async function watchAs(server: TestServer, { credentials }: Pick<Person, "credentials">, query = "") {
  const stream = watch(`${server.url.replace("http", "ws")}/api/v1/stream${query}`, credentials)
  await stream.opened
  const messages = stream.frames as Message[]
  return {
    closed: stream.closed,
    entries: () => messages.filter(({ id }) => id !== undefined),
    heartbeats: () => messages.filter(({ through }) => through !== undefined),
    /** Its entries, once `id` is among them or behind it. */
    async through(id: number) {
      while (!messages.some((one) => (one.id ?? one.through ?? 0) >= id)) await Bun.sleep(1)
      return messages.filter((one) => one.id !== undefined)
    },
  }
}

/** From Ana to Bruno, in one commit. */
async function sendAtOnce({ app }: TestServer, notes: readonly NoteRequest[]) {
  const [sender, receiver] = [await app.access.toUser("ana"), await app.access.toUser("bruno")]
  await Promise.all(notes.map((note) => app.ledger.sendPoints({ sender, receiver, value: 1, note })))
}

test("a frame is a new entry of the feed, without reactions and replies", async () => {
  await using here = await company()
  const stream = await watchAs(here.server, here.carla)
  await stream.through(3)

  await here.ana.post("/transaction/bruno/", { value: 5, reason: "Thanks", tags: ["help"] })

  const { body } = await here.carla.get<{ items: Message[] }>("/api/v1/feed?size=1")
  const [frame] = await stream.through(4)
  expect(body.items).toMatchObject([{ ...frame, reactions: [], replies: 0 }])
  expect(body.items).toMatchObject([
    { id: 4, value: 5, from_username: "ana", to_username: "bruno", reason: "Thanks", tags: ["help"] },
  ])
})

test("whoever watches is told once of each change of the programme", async () => {
  await using here = await company()
  const admin = await here.server.admin()
  const [stream, other] = [await watchAs(here.server, here.carla), await watchAs(here.server, admin)]
  const told = () => [stream, other].map(({ heartbeats }) => heartbeats().filter(({ programme }) => programme).length)
  await stream.through(3)
  await other.through(3)
  for (const reason_min of [1, 2, 2, 3]) {
    await admin.patch("/api/v1/programme", { reason_min })
    await until(() => told().every((count) => count >= reason_min))
  }
  expect(told()).toEqual([3, 3])
  expect(stream.heartbeats().at(-1)).toEqual({ through: 3, programme: "changed" })
})

test("a transfer to oneself is in no stream, live or resumed, with either setting of the feed", async () => {
  for (const feed of ["all", "own"]) {
    await using here = await company({ "recognition.feed": feed })
    const { ana, server } = here
    const live = await watchAs(server, ana)
    await live.through(3)
    await ana.post("/transaction/ana/", { value: 1, reason: "me", private: true })
    await ana.post("/transaction/bruno/", { value: 1 })

    expect((await live.through(5)).map(({ id }) => id)).toEqual([5])
    const resumed = await watchAs(server, ana, "?after=3")
    expect((await resumed.through(5)).map(({ id }) => id)).toEqual([5])
  }
})

test("?after resumes after an entry, without repeating earlier ones", async () => {
  await using here = await company()
  const stream = await watchAs(here.server, here.ana, "?after=1")

  expect((await stream.through(3)).map(({ id }) => id)).toEqual([2, 3])
  await here.server.grant(here.bruno, 1)
  expect((await stream.through(4)).map(({ id }) => id)).toEqual([2, 3, 4])
})

test("only sender and receiver get a private reason, live and resumed, and everything is in order", async () => {
  await using here = await company()
  const people = [here.ana, here.bruno, here.carla, await here.server.admin()]
  const live = await Promise.all(people.map((person) => watchAs(here.server, person)))
  for (const stream of live) await stream.through(3)

  const said = [
    { reason: "One" },
    { reason: "Two", private: true },
    { reason: "Three" },
    { reason: "4", private: true },
  ]
  await sendAtOnce(here.server, said)
  const resumed = await Promise.all(people.map((person) => watchAs(here.server, person, "?after=3")))

  const whole = ["One", "Two", "Three", "4"]
  const hidden = ["One", null, "Three", null]
  for (const streams of [live, resumed]) {
    const seen = await Promise.all(streams.map((stream) => stream.through(7)))
    expect(seen.map((entries) => entries.map(({ id }) => id))).toEqual(people.map(() => [4, 5, 6, 7]))
    expect(seen.map((entries) => entries.map(({ reason }) => reason))).toEqual([whole, whole, hidden, hidden])
  }
})

test("with recognition.feed = own, members get what they sent or received, and superusers everything", async () => {
  await using here = await company({ "recognition.feed": "own" })
  const people = [here.ana, here.bruno, here.carla, await here.server.admin()]
  const live = await Promise.all(people.map((person) => watchAs(here.server, person)))
  for (const stream of live) await stream.through(3)
  await here.ana.post("/transaction/bruno/", { value: 1, reason: "Between us", private: true })
  await here.bruno.post("/transaction/bruno/", { value: 1 })
  await here.carla.post("/transaction/ana/", { value: 1 })
  await live[3]?.through(6) // from here on, a stream that has caught up has passed 6
  const resumed = await Promise.all(people.map((person) => watchAs(here.server, person, "?after=0")))
  await resumed[3]?.through(6)

  const idsOf = (streams: typeof live) => streams.map((stream) => stream.entries().map(({ id }) => id))
  for (const stream of resumed) while (stream.heartbeats().length === 0) await Bun.sleep(1)
  expect(idsOf(live)).toEqual([[4, 6], [4], [6], [4, 6]])
  expect(idsOf(resumed)).toEqual([
    [1, 4, 6],
    [2, 4],
    [3, 6],
    [1, 2, 3, 4, 6],
  ])
  expect(live[3]?.entries()[0]).toMatchObject({ reason: null, private: true })
})

test("a stream that has caught up gets a heartbeat with the last id that was sent", async () => {
  await using here = await company()
  await (await watchAs(here.server, here.ana)).through(3)
  const stream = await watchAs(here.server, here.ana, "?after=1")
  while (stream.heartbeats().length === 0) await Bun.sleep(1)

  expect(stream.heartbeats()).toEqual([{ through: 3 }])
  expect(stream.entries().map(({ id }) => id)).toEqual([2, 3])
})

test("the stream requires a session or a token, and refuses foreign origins with any credentials", async () => {
  await using here = await company()
  const open = (headers: Readonly<Record<string, string>>, query = "") =>
    handshake(`${here.server.url}/api/v1/stream${query}`, headers)
  const { credentials } = await here.server.withSession(here.ana)

  expect(await open({})).toEqual(unauthenticated)
  expect(await open(bearer(here.ana.refreshToken))).toEqual(unauthenticated)
  for (const headers of [credentials, bearer(here.ana.accessToken), {}])
    expect(await open({ ...headers, origin: "https://elsewhere.example" })).toEqual(
      refused(403, "Requests from other sites are not accepted"),
    )
  expect(await open(bearer(here.ana.accessToken), "?after=x")).toMatchObject({ status: 422 })
  for (const headers of [credentials, bearer(here.ana.accessToken), { ...credentials, origin: here.server.url }])
    expect(await open(headers)).toMatchObject({ status: 101 })
  expect(await here.ana.get("/api/v1/stream")).toMatchObject({ status: 405 })
})

test("the stream is closed with 1008 when its credential ends", async () => {
  await using here = await company()
  const session = await here.server.withSession(here.ana)
  const [stream, going] = [await watchAs(here.server, session), await watchAs(here.server, here.ana)]

  await session.post("/logout")
  expect(await stream.closed).toBe(notAdmitted)
  await here.server.grant(here.ana, 5)

  expect(await going.through(4)).toHaveLength(1)
})

test("a stream is closed if its user may now see less than before", async () => {
  await using here = await company({ "recognition.feed": "own" })
  const manager = await here.server.person("Elena", { dept: "management" })
  const [stream, going] = [await watchAs(here.server, manager), await watchAs(here.server, here.ana)]

  const { id } = await here.server.app.access.toUser("elena")
  await here.server.app.store.users.correct(id, { dept: "sales" })
  expect(await stream.closed).toBe(notAdmitted)
  await here.server.grant(here.ana, 5)

  expect(await going.through(4)).toHaveLength(1)
})

test("the contract's stream has only its own frames", async () => {
  await using here = await company()
  const contract = watch(`${here.server.url.replace("http", "ws")}/transaction/ws?after=3`)
  await contract.opened
  const stream = await watchAs(here.server, here.ana)
  await stream.through(3)

  await here.ana.post("/transaction/bruno/", { value: 5, reason: "Thanks" })

  expect(await contract.seen(1)).toEqual([
    { to: "Bruno", from: "Ana", value: 5, id: 4, date: "2026-01-05T09:00:00.000" },
  ])
  expect(await stream.through(4)).toHaveLength(1)
})
