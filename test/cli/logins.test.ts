import { expect, test } from "bun:test"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { startTestServer } from "../support/server.ts"
import { done, misused, operator, refused } from "./operator.ts"

/** A running server with Ana, who has two sessions, and Bruno, who has one; and an operator beside it. */
async function operatorBesideSessions() {
  const server = await startTestServer()
  const operates = await operator()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const sessions = [await server.withSession(ana), await server.withSession(ana), await server.withSession(bruno)]
  return {
    server,
    ana,
    bruno,
    /** Statuses of a request by each session, then by Ana's and by Bruno's access token. */
    async statuses() {
      const answers = await Promise.all([...sessions, ana, bruno].map((caller) => caller.get("/transaction/")))
      return answers.map(({ status }) => status)
    },
    types: (args: readonly string[]) =>
      operates.types([...args, "--db", server.app.config.db.path], { now: server.clock.now }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await operates[Symbol.asyncDispose]()
    },
  }
}

const opened = "2026-01-05T09:00:00.000Z"
const expires = "2026-01-12T09:00:00.000Z"
const header = "username  opened                    from       expires"
const nobody = done("username  opened  from  expires")

test("session list shows the sessions of everybody or of one user, and never their ids", async () => {
  await using beside = await operatorBesideSessions()
  const { types } = beside

  expect(await types(["session", "list"])).toEqual(
    done(header, ...["ana  ", "ana  ", "bruno"].map((name) => `${name}     ${opened}  127.0.0.1  ${expires}`)),
  )
  const { stdout } = await types(["session", "list", "bruno", "--json"])
  expect(JSON.parse(stdout)).toEqual([{ username: "bruno", opened, from: "127.0.0.1", expires }])
  expect(await types(["session", "list", "admin"])).toEqual(nobody)
})

test("expired sessions are not listed", async () => {
  await using beside = await operatorBesideSessions()
  beside.server.clock.advance(7 * 24 * 3_600_000)

  expect(await beside.types(["session", "list"])).toEqual(nobody)
})

test("session revoke ends every session and token of one user at once, in a running server too", async () => {
  await using beside = await operatorBesideSessions()
  const { types, statuses } = beside

  expect(await types(["session", "revoke", "ana"])).toEqual(
    done("Ended 2 sessions and all tokens of ana, except service tokens (rewards token list)"),
  )

  expect(await statuses()).toEqual([401, 401, 200, 401, 200])
  expect(await types(["session", "revoke", "bruno"])).toEqual(
    done("Ended 1 session and all tokens of bruno, except service tokens (rewards token list)"),
  )
  expect(await types(["session", "revoke", "bruno"])).toEqual(
    done("Ended 0 sessions and all tokens of bruno, except service tokens (rewards token list)"),
  )
})

test("session revoke --all ends the sessions and tokens of everybody; they can log in again", async () => {
  await using beside = await operatorBesideSessions()
  const { types, statuses, server, ana } = beside

  expect(await types(["session", "revoke", "--all"])).toEqual(
    done("Ended 3 sessions and all tokens of all users, except service tokens (rewards token list)"),
  )

  expect(await statuses()).toEqual([401, 401, 401, 401, 401])
  expect(await (await server.as(ana)).get("/transaction/")).toMatchObject({ status: 200 })
})

test("an unknown user is refused, and revoke without USERNAME or --all, or with both; no session ends", async () => {
  await using beside = await operatorBesideSessions()
  const { types, statuses } = beside
  const unclear = misused("give either USERNAME or --all", "See: rewards session revoke --help")

  expect(await types(["session", "list", "carla"])).toEqual(refused("User not found: carla"))
  expect(await types(["session", "revoke", "carla"])).toEqual(refused("User not found: carla"))
  expect(await types(["session", "revoke"])).toEqual(unclear)
  expect(await types(["session", "revoke", "ana", "--all"])).toEqual(unclear)

  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
})

test("unlink removes the link to the provider's account once, and says what happens at the next log-in", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  const store = await openStore({ path: operates.database })
  const ana = await store.users.byUsername("ana")
  const identity = { issuer: "https://login.example.com", subject: "1", userId: ana?.id ?? 0, linkedAt: 1 }
  expect(await store.identities.link(identity)).toBe(true)
  await store.close()

  expect(await operates.types(["user", "unlink", "ana"])).toEqual(
    done("User ana is unlinked: the next log-in through the provider links the account again, by its e-mail address"),
  )
  expect(await operates.types(["user", "unlink", "ana"])).toEqual(done("User ana was not linked"))
  expect(await operates.types(["user", "unlink", "nobody"])).toEqual(refused("User not found: nobody"))
  const { stdout } = await operates.types(["audit", "--user", "ana", "--json"])
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ action: "identity_unlinked", who: "olga", whom: "ana" }),
  )
})

test("removing somebody's second factors also logs that user out at once, in a running server too", async () => {
  await using server = await startTestServer()
  await using operates = await operator()
  const ana = await server.person("Ana")
  const { store } = server.app
  const { id = 0 } = (await store.users.byUsername("ana")) ?? {}
  const factor = { kind: "totp", name: "Phone", credentialId: null, transports: null, key: "k" } as const
  const entry = { at: 1, action: "second_factor_added", who: null, whom: null, way: "http" } as const
  await store.secondFactors.add(
    id,
    { ...factor, counter: 1, createdAt: 1 },
    { session: null, token: null },
    { ...entry, address: null, count: 1, detail: null, before: null, after: null },
  )
  const login = () => server.anybody.submit("/login", { username: "ana", password: ana.password })
  expect((await login()).status).toBe(202)
  const types = (...args: string[]) =>
    operates.types([...args, "--db", server.app.config.db.path], { now: server.clock.now })

  expect(await types("user", "reset-second-factor", "ana")).toEqual(
    done("Removed 1 second factor of ana; all sessions and tokens of this user have ended"),
  )

  expect((await login()).status).toBe(200)
  expect((await ana.get("/api/v1/me")).status).toBe(401)
  expect(await store.audit.list({ action: "second_factors_reset", limit: 9 })).toMatchObject([
    { whom: "ana", way: "command line" },
  ])
  expect(await types("user", "reset-second-factor", "nobody")).toEqual(refused("User not found: nobody"))
})
