import { expect, test } from "bun:test"
import { createLeavers } from "../../../../src/domain/ledger/leavers.ts"
import { watch } from "../../../stream/watching.ts"
import { badLogin, badSession, noSuchUser, ok, refused, unauthenticated } from "../../../support/answers.ts"
import { operator } from "../../../support/app.ts"
import { bearer } from "../../../support/credentials.ts"
import { type Person, startTestServer, type TestServer } from "../../../support/server.ts"
import { forge } from "../../../support/tokens.ts"

const notAllowed = refused(403, "You are not allowed to change this user's password")

const namesIn = ({ body }: { readonly body: unknown }) =>
  (body as { readonly items: readonly { readonly username: string }[] }).items.map(({ username }) => username)

async function leave(server: TestServer, { username }: Person, more: object = {}) {
  const answer = await (await server.admin()).patch(`/api/v1/users/${username}`, { active: false, ...more })
  expect(answer).toMatchObject({ status: 200, body: { active: false } })
}

test("every credential of a leaver ends at once, and each is answered like an unknown one", async () => {
  await using server = await startTestServer({ settings: { "stream.access": "auth" } })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const session = await server.withSession(ana)
  const resetToken = await server.resetToken(ana)
  const invitation = await server.app.tokens.signInvitation(await server.app.access.toUser("ana"))
  const bare = { sub: "ana", exp: server.clock.now() / 1000 + 60, scope: "access_token" }
  const contractsOwn = { authorization: `Bearer ${forge(bare)}` }
  const stream = watch(`${server.url.replace("http", "ws")}/transaction/ws`, bearer(ana.accessToken))
  await stream.opened
  expect(await server.anybody.call("GET", "/api/v1/me", { headers: contractsOwn })).toMatchObject({ status: 200 })

  await leave(server, ana)

  expect(await stream.closed).toBe(1008)
  expect(await ana.get("/api/v1/me")).toEqual(unauthenticated)
  expect(await session.get("/api/v1/me")).toEqual(badSession)
  expect(await server.anybody.call("GET", "/api/v1/me", { headers: contractsOwn })).toEqual(unauthenticated)
  expect(await server.anybody.post("/refresh_token", { refresh_token: ana.refreshToken })).toEqual(unauthenticated)
  for (const name of ["ana", "ANA", "ana@example.com"]) {
    const login = { username: name, password: ana.password }
    expect(await server.anybody.submit("/token", login)).toEqual(badLogin)
    expect(await server.anybody.submit("/login", login)).toMatchObject({ status: 401 })
  }
  for (const token of [resetToken, invitation])
    expect(
      await server.anybody.post(`/user/ana/password/?pwd_reset_token=${token}`, {
        password: "n",
        password_confirm: "n",
      }),
    ).toEqual(notAllowed)
  expect(await bruno.get("/api/v1/me")).toMatchObject({ status: 200 })
})

test("a leaver gets no mail, not even one requested before", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.anybody.post("/user/pwd_reset_token/", { email: ana.email })
  await leave(server, ana)
  await server.anybody.post("/user/pwd_reset_token/", { email: ana.email })

  await server.resetToken(bruno)

  expect(server.mails.map(({ to }) => to)).toEqual([bruno.email])
})

test("a reactivated account has its old password, but none of its sessions and tokens", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  const session = await server.withSession(ana)
  await leave(server, ana)

  expect(await admin.patch("/api/v1/users/ana", { active: true })).toMatchObject({
    status: 200,
    body: { active: true, deactivated_at: null },
  })

  expect(await ana.get("/api/v1/me")).toEqual(unauthenticated)
  expect(await session.get("/api/v1/me")).toEqual(badSession)
  expect(await (await server.as(ana)).get("/api/v1/me")).toMatchObject({ status: 200, body: { username: "ana" } })
})

test("lists, searches and leaderboards leave out leavers unless superusers ask for them; the history is unchanged", async () => {
  await using server = await startTestServer()
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  const admin = await server.admin()
  for (const person of [ana, bruno, carla]) await server.grant(person, 50)
  await bruno.post("/transaction/ana/", { value: 20 })
  await ana.post("/transaction/carla/", { value: 5 })
  const before = await server.anybody.get("/user/ana/")
  await leave(server, ana)

  const listed = async (client: Pick<Person, "get">, query: string) =>
    (await client.get<{ username: string }[]>(`/user/${query}`)).body.map(({ username }) => username)
  for (const client of [server.anybody, bruno])
    for (const query of ["", "?active=all", "?active=false"])
      expect(await listed(client, query)).toEqual(["admin", "bruno", "carla"])
  expect(await listed(admin, "")).toEqual(["admin", "bruno", "carla"])
  expect(await listed(admin, "?active=false")).toEqual(["ana"])
  expect(await listed(admin, "?active=all")).toEqual(["admin", "ana", "bruno", "carla"])
  expect(await admin.get("/user/?active=maybe")).toEqual(refused(422, "active: true, false or all"))
  expect(namesIn(await bruno.get("/api/v1/people?active=all&q=ana"))).toEqual([])
  expect(namesIn(await admin.get("/api/v1/people?active=false"))).toEqual(["ana"])
  expect(await server.anybody.get("/user/ana/")).toEqual(noSuchUser)
  expect(await admin.get("/user/ana/")).toEqual(before)
  expect(await bruno.get("/api/v1/people/ana")).toMatchObject({ status: 200, body: { name: "Ana", active: false } })

  const leaders = (await bruno.get<{ items: { username: string; rank: number }[] }>("/api/v1/leaderboard?period=all"))
    .body.items
  expect(leaders.map(({ username, rank }) => [username, rank])).toEqual([
    ["carla", 1],
    ["bruno", 2],
  ])
  expect(await carla.get("/api/v1/leaderboard?period=all")).toMatchObject({ body: { own: { rank: 1 } } })
  expect(await bruno.get("/transaction/")).toMatchObject({ body: { total: 2 } })
  expect(await carla.get("/api/v1/feed")).toMatchObject({ status: 200 })
})

test("nobody can send a leaver points: 404, in a grant too; a grant to the department skips leavers", async () => {
  await using server = await startTestServer()
  const [ana, bruno, admin] = [await server.person("Ana"), await server.person("Bruno"), await server.admin()]
  await leave(server, ana)

  expect(await admin.post("/transaction/ana/", { value: 1 })).toEqual(noSuchUser)
  expect(await admin.post("/api/v1/transactions", { to: "ana", value: 1 })).toEqual(noSuchUser)
  expect(await admin.post("/api/v1/grants", { usernames: ["ana", "bruno"], value: 1 })).toEqual(
    refused(404, "User not found: ana"),
  )
  expect(await admin.post("/api/v1/grants", { depts: ["sales"], value: 3 })).toMatchObject({ status: 201 })
  expect(await server.app.store.users.balanceOf((await server.app.access.toUser("ana")).id)).toBe(0)
  expect(await bruno.get("/api/v1/me")).toMatchObject({ body: { balance: 3 } })
  expect(server.app.ledger.sendPoints({ ...(await sendersOf(server)), value: 1 })).rejects.toMatchObject({
    code: "user_not_found",
  })
})

async function sendersOf({ app }: TestServer) {
  return { sender: await app.access.toUser("admin"), receiver: await app.access.toUser("ana") }
}

test("remaining points go to admin in the same commit, as a refund that is not a recognition", async () => {
  await using server = await startTestServer()
  const [ana, admin] = [await server.person("Ana"), await server.admin()]
  await server.grant(ana, 30)

  expect(await admin.patch("/api/v1/users/ana", { active: false, return_points: true })).toMatchObject({
    status: 200,
    body: { active: false, balance: 0, deactivated_at: "2026-01-05T09:00:00.000Z" },
  })

  expect(await admin.get("/api/v1/transactions?kind=refund")).toMatchObject({
    body: { items: [{ kind: "refund", value: 30, from: { username: "ana" }, to: { username: "admin" } }] },
  })
  expect(await admin.get("/api/v1/me")).toMatchObject({ body: { balance: 0, received: 0 } })
  expect(await server.app.store.audit.list({ user: "ana", action: "user_deactivated", limit: 9 })).toMatchObject([
    { who: "admin", whom: "ana", detail: "30 returned to admin" },
  ])
  // Nothing is left to return.
  expect(await admin.patch("/api/v1/users/ana", { active: false, return_points: true })).toMatchObject({ status: 200 })
  expect(await server.app.store.ledger.lastId()).toBe(2)
})

test("points received while the account is being deactivated are returned too", async () => {
  await using server = await startTestServer()
  const [ana, admin] = [await server.person("Ana"), await server.admin()]
  await server.grant(ana, 30)
  const { app } = server
  const { balanceOf } = app.store.users
  const target = await app.access.toUser("ana")
  let reads = 0
  const store = {
    ...app.store,
    users: {
      ...app.store.users,
      async balanceOf(id: number) {
        const balance = await balanceOf(id)
        reads += 1
        if (reads === 1) await server.grant(ana, 7)
        return balance
      },
    },
  }

  await createLeavers({ store, clock: app.clock, unusableHash: "" }).deactivate(operator, target, {
    returnPoints: true,
  })

  expect(reads).toBe(2)
  expect(await balanceOf(target.id)).toBe(0)
  expect(await admin.get("/api/v1/transactions?kind=refund")).toMatchObject({ body: { items: [{ value: 37 }] } })
})

test("points received right before an account without points is deactivated are returned too", async () => {
  await using server = await startTestServer()
  const [ana, admin] = [await server.person("Ana"), await server.admin()]
  const { app } = server
  const { setActive, balanceOf } = app.store.users
  const target = await app.access.toUser("ana")
  const users: typeof app.store.users = {
    ...app.store.users,
    async setActive(...change) {
      await server.grant(ana, 7)
      return setActive(...change)
    },
  }

  const store = { ...app.store, users }
  await createLeavers({ store, clock: app.clock, unusableHash: "" }).deactivate(operator, target, {
    returnPoints: true,
  })

  expect(await balanceOf(target.id)).toBe(0)
  expect(await admin.get("/api/v1/transactions?kind=refund")).toMatchObject({ body: { items: [{ value: 7 }] } })
})

test("admin cannot be deactivated, and points are returned only with active: false", async () => {
  await using server = await startTestServer()
  const [ana, admin] = [await server.person("Ana"), await server.admin()]

  expect(await admin.patch("/api/v1/users/admin", { active: false })).toEqual(
    refused(422, "active: admin stays active"),
  )
  expect(await admin.patch("/api/v1/users/ana", { return_points: true })).toEqual(
    refused(422, "return_points: only with active: false"),
  )
  expect(await ana.patch("/api/v1/users/ana", { active: false })).toEqual(refused(403, "Not a super user"))
  expect(await ana.get("/api/v1/me")).toMatchObject({ status: 200 })
})

test("a superuser can correct name and address; a new address ends earlier links and refresh tokens", async () => {
  await using server = await startTestServer()
  const [ana, admin] = [await server.person("Ana"), await server.admin()]
  await server.person("Bruno")
  const resetToken = await server.resetToken(ana)
  const invitation = await server.app.tokens.signInvitation(await server.app.access.toUser("ana"))

  expect(await admin.patch("/api/v1/users/ana", { name: "Ana Lúcia", email: "ana@new.example" })).toMatchObject({
    status: 200,
    body: { name: "Ana Lúcia", email: "ana@new.example", dept: "sales" },
  })

  expect(await server.anybody.post("/refresh_token", { refresh_token: ana.refreshToken })).toEqual(unauthenticated)
  for (const token of [resetToken, invitation])
    expect(
      await server.anybody.post(`/user/ana/password/?pwd_reset_token=${token}`, {
        password: "n",
        password_confirm: "n",
      }),
    ).toEqual(notAllowed)
  expect(await ana.get("/api/v1/me")).toMatchObject({ status: 200, body: { name: "Ana Lúcia" } })
  expect(await admin.patch("/api/v1/users/ana", { email: "BRUNO@example.com" })).toEqual(
    refused(409, "E-mail address already taken"),
  )
  expect(await admin.patch("/api/v1/users/ana", { email: "no address" })).toMatchObject({ status: 422 })
  expect(await admin.patch("/api/v1/users/ana", {})).toMatchObject(ok({ email: "ana@new.example" }))
  const [entry] = await server.app.store.audit.list({ user: "ana", action: "profile_changed", limit: 1 })
  expect(entry?.detail).toBe("name: Ana -> Ana Lúcia, email")
})
