import { afterAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { Secret, TOTP } from "otpauth"
import { maintenanceOf } from "../../src/storage/open.ts"
import { migrations as postgresql } from "../../src/storage/postgres/database/migrations.ts"
import { migrations as sqlite } from "../../src/storage/sqlite/database/migrations.ts"
import { ok, refused } from "../support/answers.ts"
import { createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { databaseSetting, databaseVariable, type Place } from "../support/database.ts"
import { runCommand, temporaryFolder } from "../support/executable.ts"
import { startTestServer } from "../support/server.ts"
import { until } from "../support/until.ts"
import { dieWhileMigrating } from "./killed-while-migrating.ts"
import { oldProcess } from "./old-process.ts"
import { record } from "./record.ts"
import { open, recordings, releases, states, storeOf, type Told, toldIn } from "./recorded.ts"

const fresh = await temporaryFolder()
afterAll(() => fresh[Symbol.asyncDispose]())
await record(fresh.path)

const migrations = { sqlite, postgresql }
const recorded = [
  ...releases.map((release) => ({ writer: release, folder: join(recordings, release) })),
  { writer: "this version", folder: fresh.path },
].flatMap((recording) => states.map((state) => ({ ...recording, state })))

describe.each(recorded)("the database of $writer, $state,", ({ folder, state }) => {
  const told = toldIn(folder, storeOf(state))

  test("is sound and gives the same answers: people, balances, history, recognition, rewards", async () => {
    await using database = await open(folder, state)
    await using server = await serve(database.place)
    await expectSameAnswers(server)
  })

  test("does so after a process was killed in the middle of a migration", async () => {
    await using database = await open(folder, state)
    expect(await dieWhileMigrating(database.place)).toBe("SIGKILL")
    await using server = await serve(database.place)
    await expectSameAnswers(server)
  })

  test("keeps all credentials: passwords, tokens, the session; a spent reset token stays spent", async () => {
    await using database = await open(folder, state)
    await using server = await serve(database.place)
    for (const [username, password] of Object.entries(told.passwords)) await server.as({ username, password })
    const session = createClient(server.url, { cookie: `session_id=${told.sessionId}` })
    expect(await session.get("/transaction/noemi-haas/")).toMatchObject({ status: 200 })
    const { refresh_token } = told.tokens
    expect(await server.anybody.post("/refresh_token", { refresh_token })).toMatchObject({ status: 200 })

    const change = { password: "another password", password_confirm: "another password" }
    const setPassword = (username: string, token: string) =>
      server.anybody.post(`/user/${username}/password/?pwd_reset_token=${token}`, change)
    expect(await setPassword("otto-brandt", told.resetTokens.spent)).toEqual(
      refused(403, "You are not allowed to change this user's password"),
    )
    expect(await setPassword("noemi-haas", told.resetTokens.good)).toMatchObject({ status: 200 })
    expect(await session.get("/transaction/noemi-haas/")).toEqual(refused(401, "Invalid Session ID"))
  })

  test("keeps second factors: the next one-time code, and a recovery code, once", async () => {
    await using database = await open(folder, state)
    await using server = await serve(database.place)
    const { username, password, secret, recoveryCode } = told.secondFactor
    const logIn = async (proof: (nowMs: number) => object) => {
      server.clock.advance(60_000) // the code of the first minute was used for the set-up
      const asked = await server.anybody.submit<{ challenge: string }>("/login", { username, password })
      expect(asked).toMatchObject({ status: 202, body: { second_factor: ["totp", "recovery"] } })
      const { challenge } = asked.body
      return server.anybody.post("/login/second-factor", { challenge, ...proof(server.clock.now()) })
    }
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    expect(await logIn((timestamp) => ({ code: totp.generate({ timestamp }) }))).toMatchObject({ status: 200 })
    expect(await logIn(() => ({ recovery_code: recoveryCode }))).toMatchObject({ status: 200 })
    expect(await logIn(() => ({ recovery_code: recoveryCode }))).toMatchObject({ status: 401 })
  })

  test("answers a repeated request under its idempotency key as before, and keeps the API token that it made", async () => {
    await using database = await open(folder, state)
    await using server = await serve(database.place)
    const noemi = await server.as({ username: "noemi-haas", password: told.passwords["noemi-haas"] ?? "" })
    for (const { key, path, json, body } of told.requests) {
      const headers = { "idempotency-key": key }
      expect({ path, ...(await noemi.call("POST", path, { json, headers })) }).toMatchObject({ path, body })
    }
    expect(await verified(server)).toEqual({ transactions: stateIn(told).total, findings: [] })

    const made = told.requests.find(({ key }) => key === "token")?.body as CreatedToken | undefined
    const kiosk = createClient(server.url, bearer(made?.token ?? ""))
    expect(await kiosk.get("/api/v1/me")).toMatchObject(ok({ username: "noemi-haas" }))
  })

  test("can be used further: the next transaction, the balance as limit, the waiting mail", async () => {
    await using database = await open(folder, state)
    await using server = await serve(database.place)
    const { total, lastId, ofOtto } = stateIn(told)
    const otto = await server.as({ username: "otto-brandt", password: told.passwords["otto-brandt"] ?? "" })

    expect(await otto.post("/transaction/noemi-haas/", { value: ofOtto + 1 })).toEqual(
      refused(400, "Insufficient balance"),
    )
    expect(await otto.post("/transaction/noemi-haas/", { value: ofOtto })).toMatchObject({ status: 201 })
    expect(await otto.get("/transaction/?order_by=-date&size=1")).toMatchObject(
      ok({ items: [{ id: lastId + 1, value: ofOtto, user: "noemi-haas", from_user: "otto-brandt" }] }),
    )
    expect(await verified(server)).toEqual({ transactions: total + 1, findings: [] })

    server.clock.advance(3_600_000)
    server.app.worker.wake()
    await until(() => server.mails.some(({ to }) => to === told.waitingMailTo))
  })

  test("is migrated by the executable once", async () => {
    await using database = await open(folder, state)
    const run = async (...args: string[]) =>
      (await runCommand([...args, "--json"], { cwd: database.cwd, env: databaseVariable(database.place) })).stdout
    const tags: readonly string[] = JSON.parse(await run("migrate"))
    const known = migrations[storeOf(state)].map(({ tag }) => tag)
    expect(tags).toEqual(known.slice(known.length - tags.length))
    expect(await run("migrate")).toBe("[]\n")
    const listed: readonly Listed[] = JSON.parse(await run("user-list"))
    expect(listed.map(({ username }) => username)).toEqual(peopleIn(told).map(({ username }) => username))
  })

  /** This version, at the time when the database was written. */
  const serve = (place: Place) =>
    startTestServer({
      settings: { ...databaseSetting(place), "security.secret_key": told.secretKey },
      startsAt: told.writtenAt,
    })

  type Server = Awaited<ReturnType<typeof serve>>

  async function expectSameAnswers(server: Server) {
    const admin = createClient(server.url, bearer(told.tokens.access_token))
    for (const [path, body] of Object.entries(told.answers))
      expect({ path, ...(await admin.get(path)) }).toMatchObject({ path, status: 200, body })
    expect(await verified(server)).toEqual({ transactions: stateIn(told).total, findings: [] })
  }

  const verified = async ({ app }: Server) => (await maintenanceOf(app.config.db)).verify({ accepts: false })
})

test("a process of 0.1.0 on PostgreSQL sends points on beside this version, and both see and count all of them", async () => {
  const folder = join(recordings, "0.1.0")
  const told = toldIn(folder, "postgresql")
  await using database = await open(folder, "postgresql-killed")
  const { url } = database.place
  if (url === null) throw new Error("the database is not on PostgreSQL")
  await using old = oldProcess(url)
  await using server = await startTestServer({
    settings: { ...databaseSetting(database.place), "security.secret_key": told.secretKey },
    startsAt: told.writtenAt,
  })
  const { store } = server.app
  const [admin, noemi] = await Promise.all(["admin", "noemi-haas"].map((username) => store.users.byUsername(username)))
  if (!admin || !noemi) throw new Error("the recorded database lacks a person")
  const caller = createClient(server.url, bearer(told.tokens.access_token))
  const send = async () =>
    expect(await caller.post("/transaction/noemi-haas/", { value: 3 })).toMatchObject({ status: 201 })
  const state = async () => ({
    received: (await caller.get<{ total: number }>("/transaction/noemi-haas/?from_user=admin")).body.total,
    balance: (await caller.get<{ balance: number }>("/api/v1/users/noemi-haas")).body.balance,
  })

  const before = await state()
  const wasKnown: boolean[] = []
  for (let round = 0; round < 3; round++) {
    for (let sent = 0; sent < 2; sent++) wasKnown.push(await old.send(admin.id, noemi.id, 2))
    for (let sent = 0; sent < 2; sent++) await send()
  }
  // It goes on where it stopped, and notices what others have appended.
  expect(wasKnown).toEqual([true, true, false, true, false, true])
  expect(await state()).toEqual({ received: before.received + 12, balance: before.balance + 30 })
  const verified = (await maintenanceOf(server.app.config.db)).verify({ accepts: false })
  expect(await verified).toEqual({ transactions: stateIn(told).total + 12, findings: [] })
})

interface Listed {
  readonly username: string
  readonly balance: number
}

interface CreatedToken {
  readonly token: string
}

const peopleIn = ({ answers }: Told) => answers["/user/?show_balance=true"] as readonly Listed[]

function stateIn(told: Told) {
  const { items, total } = told.answers["/transaction/?order_by=-date&size=100"] as {
    items: readonly { id: number }[]
    total: number
  }
  const ofOtto = peopleIn(told).find(({ username }) => username === "otto-brandt")?.balance ?? 0
  return { total, lastId: items[0]?.id ?? 0, ofOtto }
}
