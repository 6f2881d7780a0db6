import { expect, test } from "bun:test"
import { openTestApp } from "../../support/app.ts"

const week = 604_800_000
const badSession = { code: "bad_session", message: "Invalid Session ID" }

test("a session id is 32 random hex digits", async () => {
  await using opened = await openTestApp()
  const ana = await opened.create("Ana")

  const ids = await Promise.all(Array.from({ length: 100 }, () => opened.app.sessions.open(ana, null)))

  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(ids).size).toBe(100)
})

test("a session is valid for 7 days, and using it does not extend that", async () => {
  await using opened = await openTestApp()
  const { sessions } = opened.app
  const ana = await opened.create("Ana")
  const id = await sessions.open(ana, null)

  for (const _ of [1, 2, 3]) {
    opened.clock.advance(week / 4)
    expect((await sessions.resolve(id)).user).toEqual(ana)
  }
  opened.clock.advance(week / 4 - 1)
  expect((await sessions.resolve(id)).user).toEqual(ana)
  opened.clock.advance(1)
  expect(sessions.resolve(id)).rejects.toMatchObject(badSession)
})

test("a session that was opened while the clock ran ahead ends when it is set right, and was not opened just now", async () => {
  await using opened = await openTestApp()
  const { sessions } = opened.app
  const ana = await opened.create("Ana")
  const recent = async (id: string) => {
    const { user, idHash } = await sessions.resolve(id)
    return sessions.isRecent({ user, sessionHash: idHash })
  }

  opened.clock.advance(60_000)
  const slightlyAhead = await sessions.open(ana, null)
  opened.clock.advance(3_600_000)
  const ahead = await sessions.open(ana, null)
  opened.clock.advance(-3_660_000)

  expect(await recent(slightlyAhead)).toBe(true)
  expect(sessions.resolve(ahead)).rejects.toMatchObject(badSession)
  const [{ idHash } = { idHash: "" }] = await opened.app.store.sessions.list("ana", opened.clock.now())
  expect(await sessions.isRecent({ user: ana, sessionHash: idHash })).toBe(false)
})

test("opening a session ends the one that was presented; ending an unknown one does nothing", async () => {
  await using opened = await openTestApp()
  const { sessions } = opened.app
  const [ana, bruno] = [await opened.create("Ana"), await opened.create("Bruno")]
  const first = await sessions.open(ana, null)

  const second = await sessions.open(bruno, first)
  await sessions.end("unknown")

  expect(sessions.resolve(first)).rejects.toMatchObject(badSession)
  expect((await sessions.resolve(second)).user).toEqual(bruno)
})

test("ending a session does not end others", async () => {
  await using opened = await openTestApp()
  const { sessions } = opened.app
  const ana = await opened.create("Ana")
  const [one, other] = [await sessions.open(ana, null), await sessions.open(ana, null)]

  await sessions.end(one)
  await sessions.end(one)

  expect(sessions.resolve(one)).rejects.toMatchObject(badSession)
  expect((await sessions.resolve(other)).user).toEqual(ana)
})

test("a session of a user who does not exist is reported as a different error", async () => {
  await using opened = await openTestApp()
  const { sessions, store } = opened.app
  const idHash = new Bun.CryptoHasher("sha256").update("an id").digest("hex")
  await store.sessions.open(
    { idHash, username: "gone", expiresAt: opened.clock.now() + 1, openedAt: null, address: null },
    null,
  )

  expect(sessions.resolve("an id")).rejects.toMatchObject({
    code: "session_user_missing",
    message: "Session user not found",
  })
})
