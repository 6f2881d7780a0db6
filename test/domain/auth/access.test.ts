import { expect, test } from "bun:test"
import { type Caller, type Credentials, seesBalanceOf, seesEverybody } from "../../../src/domain/auth/access.ts"
import type { User } from "../../../src/domain/people/model.ts"
import { openTestApp } from "../../support/app.ts"

const nothing: Credentials = { sessionId: null, authorization: null, fresh: false, address: "192.0.2.7" }
const bearer = (token: string, fresh = false) => ({ ...nothing, authorization: `Bearer ${token}`, fresh })
const badCredentials = { code: "bad_credentials" }
const badSession = { code: "bad_session" }
const noSuchUser = { code: "user_not_found" }

async function openWithPeople() {
  const opened = await openTestApp()
  const { tokens, sessions, access } = opened.app
  const ana = await opened.create("Ana")
  const bruno = await opened.create("Bruno")
  const carla = await opened.create("Carla", { dept: "management" })
  const callerOf = (user: User): Caller => ({ user, sessionHash: null, token: null, expiresAt: 0, apiToken: null })
  return {
    ...opened,
    access,
    people: { ana, bruno, carla },
    as: { ana: callerOf(ana), bruno: callerOf(bruno), carla: callerOf(carla) },
    sessionId: await sessions.open(ana, null),
    fresh: await tokens.sign(ana, "access_token", { fresh: true }),
    stale: await tokens.sign(ana, "access_token", { fresh: false }),
    resetToken: await tokens.signReset(ana),
  }
}

test("a session cookie takes precedence, whatever the header says", async () => {
  await using given = await openWithPeople()
  const { access, sessionId, stale, people } = given
  const token = await given.app.tokens.sign(people.carla, "access_token", { fresh: true })

  for (const credentials of [nothing, bearer(token), bearer("x"), bearer(stale, true)])
    expect(await access.caller({ ...credentials, sessionId }, "read")).toEqual({
      user: people.ana,
      expiresAt: expect.any(Number),
      sessionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      token: null,
      apiToken: null,
    })
  for (const sessionId of ["", "unknown"])
    expect(access.caller({ ...bearer(token), sessionId }, "read")).rejects.toMatchObject(badSession)
})

test("without a session, the token after the first space of the header counts", async () => {
  await using given = await openWithPeople()
  const { access, fresh, people } = given

  expect(await access.caller(bearer(fresh), "read")).toEqual({
    user: people.ana,
    sessionHash: null,
    token: fresh,
    expiresAt: expect.any(Number),
    apiToken: null,
  })
  for (const authorization of [null, "", "x", "Bearer", "Bearer ", "Bearer x", fresh])
    expect(access.caller({ ...nothing, authorization }, "read")).rejects.toMatchObject(badCredentials)
})

test("only the tokens of regular users must be fresh", async () => {
  await using given = await openWithPeople()
  const { access, fresh, stale, people } = given
  const ofCarla = await given.app.tokens.sign(people.carla, "access_token", { fresh: false })

  expect((await access.caller(bearer(fresh, true), "read")).user).toEqual(people.ana)
  expect((await access.caller(bearer(stale, false), "read")).user).toEqual(people.ana)
  expect((await access.caller(bearer(ofCarla, true), "read")).user).toEqual(people.carla)
  expect(access.caller(bearer(stale, true), "read")).rejects.toMatchObject(badCredentials)
})

test("on public endpoints bad credentials count as none, but an error of the store is an error", async () => {
  await using given = await openWithPeople()
  const { access } = given

  for (const credentials of [nothing, bearer("x"), bearer(given.stale, true), { ...nothing, sessionId: "x" }])
    expect(await access.callerIfAny(credentials, "read")).toBeNull()

  await given.app.close()
  await new Promise(setImmediate) // within a tick the user cache answers
  expect(access.callerIfAny(bearer(given.fresh), "read")).rejects.toBeInstanceOf(Error)
})

test("only the user and superusers may read a history; an unknown user is reported first", async () => {
  await using given = await openWithPeople()
  const { access, as, people } = given

  expect(await access.toHistory(as.ana, "ana")).toEqual(people.ana)
  expect(await access.toHistory(as.carla, "ana")).toEqual(people.ana)
  expect(access.toHistory(as.bruno, "ana")).rejects.toMatchObject({ code: "not_own_transactions" })
  for (const caller of [as.bruno, as.carla])
    expect(access.toHistory(caller, "nobody")).rejects.toMatchObject(noSuchUser)
})

test("the user, a superuser and a reset token may change a password, and each case defines which credentials end", async () => {
  await using given = await openWithPeople()
  const { access, as, people, resetToken } = given
  const target = people.ana
  const session = { user: target, sessionHash: "hash of Ana's session", token: null, expiresAt: 0, apiToken: null }
  const other = { bySelf: false, keepSession: null, spends: null }
  const spends = { tokenHash: expect.any(String), expiresAt: given.clock.now() + 600_000, version: 0 }

  expect(await access.toPassword(as.ana, "ana", null)).toEqual({
    target,
    by: "ana",
    bySelf: true,
    keepSession: null,
    spends: null,
  })
  expect(await access.toPassword(session, "ana", null)).toEqual({
    target,
    by: "ana",
    bySelf: true,
    keepSession: "hash of Ana's session",
    spends: null,
  })
  expect(await access.toPassword(as.carla, "ana", null)).toEqual({ target, by: "carla", ...other })
  for (const caller of [null, as.ana, as.bruno, as.carla, session])
    expect(await access.toPassword(caller, "ana", resetToken)).toEqual({ target, by: null, ...other, spends })
})

test("nobody else may change a password; an unknown user is reported first", async () => {
  await using given = await openWithPeople()
  const { access, as, resetToken } = given
  const notAllowed = { code: "not_own_password" }

  for (const caller of [null, as.bruno]) {
    expect(access.toPassword(caller, "ana", null)).rejects.toMatchObject(notAllowed)
    expect(access.toPassword(caller, "ana", "x")).rejects.toMatchObject(notAllowed)
    expect(access.toPassword(caller, "ana", given.fresh)).rejects.toMatchObject(notAllowed)
    expect(access.toPassword(caller, "carla", resetToken)).rejects.toMatchObject(notAllowed)
    expect(access.toPassword(caller, "nobody", resetToken)).rejects.toMatchObject(noSuchUser)
  }
})

test("superusers see every balance, users only their own", async () => {
  await using given = await openWithPeople()
  const { as, people } = given

  expect([null, as.ana, as.bruno, as.carla].map((viewer) => seesBalanceOf(viewer, people.ana))).toEqual([
    false,
    true,
    false,
    true,
  ])
  expect([null, as.ana, as.carla].map(seesEverybody)).toEqual([false, false, true])
})
