import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { refused } from "../../support/answers.ts"
import { query } from "../../support/database.ts"
import { temporaryFolder } from "../../support/executable.ts"
import { createPushService, type PushService, type Subscription } from "../../support/push-service.ts"
import { type Person, startTestServer, type TestServer } from "../../support/server.ts"
import { until } from "../../support/until.ts"

interface Device {
  readonly id: number
  readonly name: string
  readonly last_used_at: string | null
}

interface Push {
  readonly public_key: string
  readonly devices: Device[]
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let service: PushService
let server: TestServer
let ana: Person
let bruno: Person
let key: string

beforeAll(async () => {
  folder = await temporaryFolder()
  service = await createPushService()
  writeFileSync(`${folder.path}/ca.pem`, service.ca)
  server = await startServer()
  ana = await server.person("Ana")
  bruno = await server.person("Bruno")
  await server.grant(ana, 1_000_000)
  key = (await pushOf(bruno)).public_key
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await service.close()
  await folder[Symbol.asyncDispose]()
})

beforeEach(async () => {
  for (const person of [ana, bruno])
    for (const { id } of (await pushOf(person)).devices) await person.delete(`/api/v1/me/push/${id}`)
  service.take()
  service.answer()
})

const startServer = (more: Record<string, string> = {}) =>
  startTestServer({
    settings: {
      "push.allow_private": "127.0.0.0/8",
      "webhooks.ports": `${service.port}`,
      "webhooks.ca": `${folder.path}/ca.pem`,
      "limits.transfers_per_minute": "0",
      "security.access_token_expire_minutes": "100000",
      ...more,
    },
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  })

const pushOf = async (person: Person) => (await person.get<Push>("/api/v1/me/push")).body

const register = (person: Person, browser: Subscription, name = "Firefox on Linux") =>
  person.post<Device>("/api/v1/me/push", { ...browser.json, name })

/** Enqueues the messages that are due, and waits until the worker has tried to send this many. */
async function sendDue(attempts: number) {
  await attempted(attempts, () => server.app.pushDispatch.enqueueDue())
}

/** Waits for the next attempts after some time. */
async function retried(attempts: number, after = 3_600_000) {
  server.clock.advance(after)
  await attempted(attempts, async () => server.app.worker.wake())
}

async function attempted(attempts: number, begin: () => Promise<void>) {
  const ended = () => server.logged().filter((line) => line.includes('"kind":"push"')).length
  const before = ended()
  await begin()
  const running = async () => (await server.app.store.health.read(server.clock.now())).jobs.running
  await until(async () => ended() >= before + attempts && (await running()) === 0)
  expect(ended()).toBe(before + attempts)
}

const absent = (): never => {
  throw new Error("no device")
}

const unfinished = async () => {
  const { available, running } = (await server.app.store.health.read(server.clock.now())).jobs
  return available + running
}

const thank = async (fields: object = {}, from = ana) =>
  (
    await from.post<{ id: number }>("/api/v1/transactions", {
      to: "bruno",
      value: 25,
      reason: "For the review",
      ...fields,
    })
  ).body.id

describe("devices", () => {
  test("added again are the same, whatever key the request has, and no key is stored", async () => {
    const { json } = await service.subscribe()
    const keys = () => query(server.app.config.db, "SELECT * FROM idempotency_keys ORDER BY 1, 2")
    const before = await keys()
    const ids = new Set<number>()
    for (const key of ["one", "one", "two"]) {
      const headers = { "idempotency-key": key }
      const { status, body } = await bruno.call<Device>("POST", "/api/v1/me/push", {
        json: { ...json, name: key },
        headers,
      })
      expect(status).toBe(201)
      ids.add(body.id)
    }
    expect(ids.size).toBe(1)
    expect((await pushOf(bruno)).devices).toMatchObject([{ name: "two" }])
    expect(await keys()).toEqual(before)
  })

  test("are added, listed and removed by their owner alone", async () => {
    const browser = await service.subscribe()
    const { status, body } = await register(bruno, browser)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      name: "Firefox on Linux",
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
    } as never)
    expect((await pushOf(bruno)).devices).toEqual([body])
    expect((await pushOf(ana)).devices).toEqual([])
    expect(await ana.delete(`/api/v1/me/push/${body.id}`)).toMatchObject(refused(404, "Device not found"))
    expect(await bruno.delete("/api/v1/me/push/x")).toMatchObject(refused(404, "Device not found"))
    expect((await bruno.delete(`/api/v1/me/push/${body.id}`)).status).toBe(200)
    expect((await pushOf(bruno)).devices).toEqual([])
  })

  test("are at most ten; one that is known replaces what it said, and belongs to whoever was last", async () => {
    const browsers = await Promise.all(Array.from({ length: 11 }, () => service.subscribe()))
    const [first, ...others] = browsers as [Subscription, ...Subscription[]]
    for (const browser of others) expect((await register(bruno, browser)).status).toBe(201)
    const full = "You get notifications on the maximum number of devices; remove one first"
    expect(await register(bruno, first)).toMatchObject(refused(409, full))
    const [known] = others as [Subscription]
    const { id } = (await register(bruno, known, "Renamed")).body
    expect((await pushOf(bruno)).devices.filter(({ name }) => name === "Renamed")).toMatchObject([{ id }])
    expect((await register(ana, known)).status).toBe(201)
    expect((await pushOf(bruno)).devices).toHaveLength(9)
    expect((await pushOf(ana)).devices).toHaveLength(1)
  })

  test("are refused with the field that is wrong, also where a push service may not be", async () => {
    const { json } = await service.subscribe()
    const notOnTheCurve = Buffer.from([4, ...Array(64).fill(1)]).toString("base64url")
    const wrong: [object, string, string][] = [
      [{ endpoint: "http://push.example.test/1" }, "endpoint", "it is not an https URL"],
      [{ endpoint: "ftp://push.example.test/1" }, "endpoint", "it is not an https URL"],
      [
        { endpoint: "https://10.0.0.1/1" },
        "endpoint",
        "it has an address that is not public; to allow it, list its network in push.allow_private",
      ],
      [{ endpoint: "https://push.example.test:22/1" }, "endpoint", "its port is not allowed"],
      [{ endpoint: `https://push.example.test/${"x".repeat(2048)}` }, "endpoint", "at most 2048 characters"],
      [{ keys: { ...json.keys, p256dh: "AAAA" } }, "keys.p256dh", "a public key of P-256"],
      [{ keys: { ...json.keys, p256dh: notOnTheCurve } }, "keys.p256dh", "a public key of P-256"],
      [{ keys: { ...json.keys, auth: "AAAA" } }, "keys.auth", "16 bytes in base64url"],
      [{ keys: {} }, "keys.p256dh", "missing"],
      [{ name: "" }, "name", "1 to 100 visible characters"],
      [{ name: "a\u202eb" }, "name", "1 to 100 visible characters"],
    ]
    for (const [fields, field, rule] of wrong) {
      const request = { ...json, name: "Phone", ...fields }
      const { status, body } = await bruno.post<{ detail: string }>("/api/v1/me/push", request)
      expect([status, body.detail]).toEqual([422, expect.stringMatching(new RegExp(`^${field}: .*${rule}`))])
    }
    expect((await pushOf(bruno)).devices).toEqual([])
  })

  test("end with a log-out everywhere, a new password, and the account", async () => {
    const carla = await server.person("Carla")
    await register(carla, await service.subscribe())
    await carla.delete("/api/v1/me/sessions")
    expect((await pushOf(carla)).devices).toEqual([])
    await register(carla, await service.subscribe())
    const change = { current_password: carla.password, password: "another one", password_confirm: "another one" }
    expect((await carla.post("/api/v1/me/password", change)).status).toBe(200)
    expect((await pushOf(carla)).devices).toEqual([])
    await register(carla, await service.subscribe())
    const { id } = (await server.app.store.users.byUsername("carla")) ?? { id: 0 }
    const admin = await server.admin()
    await admin.patch("/api/v1/users/carla", { active: false })
    expect(await server.app.store.push.devicesOf(id, server.clock.now())).toEqual([])
  })
})

describe("a device ends with the session that asked for it", () => {
  /** Logs in, subscribes, and says how many devices are left, as their owner sees it with another session. */
  async function subscribed(name: string) {
    const person = await server.person(name)
    const [session, other] = [await server.withSession(person), await server.withSession(person)]
    await session.post("/api/v1/me/push", { ...(await service.subscribe()).json, name: "Phone" })
    const left = async () => (await server.app.store.push.devicesOf(await idOf(person), server.clock.now())).length
    expect(await left()).toBe(1)
    return { person, session, other, left }
  }

  const idOf = async ({ username }: Person) => (await server.app.store.users.byUsername(username))?.id ?? 0

  /** What somebody is sent who is thanked now. */
  async function sentAfter(person: Person): Promise<number> {
    service.take()
    await ana.post("/api/v1/transactions", { to: person.username, value: 1, reason: "Late" })
    await server.app.pushDispatch.enqueueDue()
    await until(async () => (await unfinished()) === 0)
    return service.take().length
  }

  test("with a log-out, and nothing that waits is sent any more", async () => {
    const { person, session, left } = await subscribed("Lea")
    service.answer({ status: 503 })
    await ana.post("/api/v1/transactions", { to: "lea", value: 1, reason: "Before" })
    await sendDue(1)
    await session.submit("/logout", {})
    expect(await left()).toBe(0)
    service.take()
    await retried(1)
    expect(service.take()).toEqual([])
    expect(await sentAfter(person)).toBe(0)
  })

  test("ended from another one, while that one keeps its own", async () => {
    const { person, session, other, left } = await subscribed("Lia")
    await other.post("/api/v1/me/push", { ...(await service.subscribe()).json, name: "Laptop" })
    expect(await left()).toBe(2)
    const { body } = await session.get<{ items: { id: string; current: boolean }[] }>("/api/v1/me/sessions")
    const own = body.items.find(({ current }) => current)
    expect((await other.delete(`/api/v1/me/sessions/${own?.id}`)).status).toBe(200)
    expect(await left()).toBe(1)
    expect(await sentAfter(person)).toBe(1)
    await other.delete("/api/v1/me/sessions")
    expect(await left()).toBe(1)
  })

  test("with a new password in another one, a deactivation, and its expiry before anything is cleaned up", async () => {
    const one = await subscribed("Lou")
    const password = { current_password: one.person.password, password: "another one", password_confirm: "another one" }
    expect((await one.other.post("/api/v1/me/password", password)).status).toBe(200)
    expect(await one.left()).toBe(0)

    const two = await subscribed("Luc")
    const admin = await server.admin()
    await admin.patch("/api/v1/users/luc", { active: false })
    await admin.patch("/api/v1/users/luc", { active: true })
    expect(await two.left()).toBe(0)

    const three = await subscribed("Lux")
    server.clock.advance(server.app.config.session.expire_seconds * 1000)
    expect(await three.left()).toBe(0)
    expect(await sentAfter(three.person)).toBe(0)
  })

  test("and whoever logs in next in that browser, with the same subscription, gets only their own", async () => {
    const [max, mia] = [await server.person("Max"), await server.person("Mia")]
    const browser = await service.subscribe()
    const session = await server.withSession(max)
    await session.post("/api/v1/me/push", { ...browser.json, name: "Shared" })
    service.answer({ status: 503 })
    await ana.post("/api/v1/transactions", { to: "max", value: 1, reason: "For Max alone" })
    await sendDue(1)
    await session.submit("/login", { username: "mia", password: mia.password })
    const hers = await server.withSession(mia)
    await hers.post("/api/v1/me/push", { ...browser.json, name: "Shared" })
    service.take()
    await retried(1)
    await ana.post("/api/v1/transactions", { to: "max", value: 1, reason: "For Max again" })
    await ana.post("/api/v1/transactions", { to: "mia", value: 1, reason: "For Mia" })
    await sendDue(1)
    const publicKey = (await hers.get<Push>("/api/v1/me/push")).body.public_key
    expect(await service.messagesFor(browser, publicKey)).toMatchObject([{ body: "For Mia" }])
  })

  test("but stays for whoever logs in again in the same browser", async () => {
    const { person, session, left } = await subscribed("Ada")
    await session.submit("/login", { username: "ada", password: person.password })
    expect(await left()).toBe(1)
  })
})

describe("a message", () => {
  test("says who thanked, the points and the reason, encrypted for each device of the receiver, and leads to the entry", async () => {
    const [phone, laptop, hers] = [await service.subscribe(), await service.subscribe(), await service.subscribe()]
    await register(bruno, phone)
    await register(bruno, laptop)
    await register(ana, hers)
    const id = await thank()
    await sendDue(2)
    const said = {
      title: "Ana thanked you: 25 points",
      body: "For the review",
      url: `/recognition/${id}`,
      tag: `transaction ${id}`,
    }
    expect(await service.messagesFor(phone, key)).toEqual([said])
    expect(await service.messagesFor(laptop, key)).toEqual([said])
    expect(await service.messagesFor(hers, key)).toEqual([])
    expect((await pushOf(bruno)).devices.every(({ last_used_at }) => last_used_at !== null)).toBe(true)
    expect(service.received.every(({ bytes }) => !bytes.toString().includes("review"))).toBe(true)

    await sendDue(0)
    expect(service.take()).toHaveLength(2)
  })

  test("about a private reason says only who, also of points that are added", async () => {
    const browser = await service.subscribe()
    await register(bruno, browser)
    await thank({ private: true })
    await sendDue(1)
    expect(await service.messagesFor(browser, key)).toMatchObject([{ title: "Ana thanked you", body: "" }])
  })

  test("of added points leads to the entry, in the language of the receiver; a long reason is cut between letters", async () => {
    const browser = await service.subscribe()
    await register(bruno, browser)
    await bruno.patch("/api/v1/me", { language: "pt" })
    const reason = "👩‍👩‍👧".repeat(40) + "x".repeat(300)
    const id = await thank({ reason })
    const carlos = await server.person("Carlos")
    await server.grant(carlos, 10)
    await carlos.post(`/api/v1/recognitions/${id}/points`, { value: 5 })
    await sendDue(2)
    const body = `${"👩‍👩‍👧".repeat(40)}${"x".repeat(160)}…`
    const messages = (await service.messagesFor(browser, key)).sort((one, other) => (one.title < other.title ? -1 : 1))
    expect(messages.map(({ title, url }) => [title, url])).toEqual([
      ["Ana agradeceu a você: 25 pontos", `/recognition/${id}`],
      ["Carlos acrescentou 5 pontos para você", `/recognition/${id}`],
    ])
    expect(messages[0]?.body).toBe(body)
    await bruno.patch("/api/v1/me", { language: "en" })
  })

  test("is sent neither for a grant, nor what was taken back, nor to a device that was removed meanwhile", async () => {
    const browser = await service.subscribe()
    const device = (await register(bruno, browser)).body
    const admin = await server.admin()
    await admin.post("/api/v1/grants", { usernames: ["bruno"], value: 5 })
    const id = await thank()
    await admin.post(`/api/v1/transactions/${id}/reversal`, { reason: "A mistake" })
    await sendDue(1)
    expect(service.take()).toEqual([])
    service.answer({ status: 503 })
    await thank()
    await sendDue(1)
    expect(service.take()).toHaveLength(1)
    await bruno.delete(`/api/v1/me/push/${device.id}`)
    await retried(1)
    expect(service.take()).toEqual([])
  })

  test("is retried for a day while the push service does not take it, and arrives once", async () => {
    const browser = await service.subscribe()
    await register(bruno, browser)
    const failures = [{ status: 503 }, { status: 429, headers: { "retry-after": "5" } }, { fault: "cut off" as const }]
    service.answer(...failures)
    await thank()
    await sendDue(1)
    for (const _ of failures) await retried(1)
    await retried(0)
    expect(service.received).toHaveLength(failures.length + 1)
    expect(await service.messagesFor(browser, key)).toMatchObject([{}, {}, {}, { body: "For the review" }])
  })

  for (const status of [404, 410])
    test(`is the last to a device of which the push service says ${status}`, async () => {
      await register(bruno, await service.subscribe())
      service.answer({ status })
      await thank()
      await sendDue(1)
      expect((await pushOf(bruno)).devices).toEqual([])
    })

  for (const status of [301, 307, 400, 401, 403, 407, 418])
    test(`that is answered with ${status} waits for the cure, which the log says, and then arrives`, async () => {
      const browser = await service.subscribe()
      await register(bruno, browser)
      service.answer({ status, headers: { location: "https://push.example.test/elsewhere" } })
      await thank()
      const before = server.logged().length
      await sendDue(1)
      const [failed] = server
        .logged()
        .slice(before)
        .filter((line) => line.includes('"kind":"push"'))
      const host = `push.example.test:${service.port}`
      expect(JSON.parse(failed ?? "{}")).toMatchObject({
        level: "warn",
        message: "job failed",
        error: `the push service ${host} answered ${status}`,
        ...(status === 418 ? {} : { cure: expect.stringMatching(/^set server.base_url|^let this server reach it/) }),
      })
      await retried(1)
      expect(service.received).toHaveLength(2)
      expect(await service.messagesFor(browser, key)).toHaveLength(2)
      expect((await pushOf(bruno)).devices).toHaveLength(1)
    })

  test("waits while its push service may not be reached, and the log says why", async () => {
    const { push } = server.app.store
    const { id } = (await register(bruno, await service.subscribe())).body
    const {
      id: _,
      lastUsedAt: __,
      silences: ___,
      silentSince: ____,
      ...device
    } = (await push.device(id, server.clock.now())) ?? absent()
    const endpoint = "https://push.example.test:22/before-the-setting-changed"
    const unreachable = await push.add({ ...device, endpoint, endsAt: 1e15 }, 9, { session: null, token: null })
    await bruno.delete(`/api/v1/me/push/${id}`)
    await thank()
    const before = server.logged().length
    await sendDue(1)
    expect(server.logged().slice(before).join()).toContain(
      '"error":"port 22 is not allowed; to use it, list it in webhooks.ports"',
    )
    expect(await unfinished()).toBe(1)
    await bruno.delete(`/api/v1/me/push/${unreachable.id}`)
    await retried(1)
  })

  test("is waited for three seconds, one of a person at a time, and holds up neither mail nor messages to others", async () => {
    const cleo = await server.person("Cleo")
    const silent = [await service.subscribe(), await service.subscribe()]
    const hers = await service.subscribe()
    for (const browser of silent) await register(bruno, browser)
    await register(cleo, hers)
    const paths = silent.map(({ endpoint }) => new URL(endpoint).pathname)
    service.alwaysAnswer((path) => (paths.includes(path) ? { fault: "hang" } : { status: 201 }))
    for (let count = 0; count < 10; count += 1) await thank()
    await ana.post("/api/v1/transactions", { to: "cleo", value: 1, reason: "At once" })

    const begun = performance.now()
    await server.app.pushDispatch.enqueueDue()
    expect(await server.resetToken(bruno)).not.toBe("")
    await until(async () => (await service.messagesFor(hers, key)).length === 1)
    const attempts = service.received.filter(({ path }) => paths.includes(path)).length
    expect(attempts).toBeLessThanOrEqual(1 + (performance.now() - begun) / 2900)

    await until(() => service.received.length === 3)
    const waitedMs = performance.now() - begun
    expect(waitedMs).toBeGreaterThan(2900)
    service.alwaysAnswer({ status: 201 })
    for (const { id } of (await pushOf(bruno)).devices) await bruno.delete(`/api/v1/me/push/${id}`)
    server.clock.advance(3_600_000)
    server.app.worker.wake()
    await until(async () => (await unfinished()) === 0)
  }, 20_000)

  test("waits with all others to the same device while that is silent, and an answer ends the wait", async () => {
    const browser = await service.subscribe()
    await register(bruno, browser)
    service.alwaysAnswer({ fault: "reset" })
    for (let count = 0; count < 3; count += 1) await thank()
    await sendDue(3)
    expect(service.take()).toHaveLength(1)
    service.alwaysAnswer({ status: 503 })
    await retried(3, 60_000)
    expect(service.take()).toHaveLength(3)
    service.alwaysAnswer({ status: 201 })
    await retried(3)
    expect(await service.messagesFor(browser, key)).toHaveLength(3)
  })

  test("is given up with a device whose push service does not answer for a day; what has answered since does not count", async () => {
    const browser = await service.subscribe()
    const { id } = (await register(bruno, browser)).body
    const dayMs = 86_400_000
    service.alwaysAnswer({ fault: "reset" })
    await thank()
    await sendDue(1)
    service.answer({ status: 503 })
    await retried(1)
    await retried(1)
    expect(await server.app.store.push.device(id, server.clock.now())).toMatchObject({ silences: 1 })
    await retried(1, dayMs - 1)
    expect((await pushOf(bruno)).devices).toHaveLength(1)
    server.clock.advance(1)
    await thank()
    const before = server.logged().length
    await sendDue(1)
    expect((await pushOf(bruno)).devices).toEqual([])
    expect(server.logged().slice(before).join()).toContain(
      "a device was removed, because its push service has not answered for a day",
    )
    service.alwaysAnswer({ status: 201 })
  })

  test("that is too large for the push service is given up, and the device stays", async () => {
    await register(bruno, await service.subscribe())
    service.answer({ status: 413 })
    await thank()
    await sendDue(1)
    await retried(0)
    expect(service.take()).toHaveLength(1)
    expect((await pushOf(bruno)).devices).toHaveLength(1)
  })
})

test("a recognition right after the first subscription of a server is sent, and none from before", async () => {
  await using fresh = await startServer()
  const [carla, dora] = [await fresh.person("Carla"), await fresh.person("Dora")]
  await fresh.grant(carla, 100)
  const thankDora = (reason: string) => carla.post("/api/v1/transactions", { to: "dora", value: 5, reason })
  await thankDora("Before")
  await fresh.app.pushDispatch.enqueueDue()
  const browser = await service.subscribe()
  await dora.post("/api/v1/me/push", { ...browser.json, name: "Phone" })
  await thankDora("Right after")
  await fresh.app.pushDispatch.enqueueDue()
  await until(() => service.received.length > 0)
  const messages = await service.messagesFor(browser, (await dora.get<Push>("/api/v1/me/push")).body.public_key)
  expect(messages).toMatchObject([{ body: "Right after" }])
})

test("the keys stay, and are new for every browser when security.secret_key has changed", async () => {
  const { push } = server.app.store
  expect((await pushOf(ana)).public_key).toBe(key)
  const stored = await push.keys()
  expect(stored?.publicKey).toBe(key)
  await push.keepKeys({ publicKey: "foreign", privateKey: "sealed with another secret" }, key)
  await register(bruno, await service.subscribe())
  const renewed = (await pushOf(bruno)).public_key
  expect([key, "foreign"]).not.toContain(renewed)
  expect((await pushOf(bruno)).devices).toEqual([])
  expect(server.logged().some((line) => line.includes("the push keys cannot be decrypted"))).toBe(true)
  key = renewed
})
