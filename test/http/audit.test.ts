import { expect, test } from "bun:test"
import type { AuditAction, AuditEntry } from "../../src/domain/audit/ports.ts"
import { passwordOf } from "../support/app.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

const trusting = { settings: { "server.trusted_proxies": "127.0.0.1" } }
const address = "203.0.113.7"
const headers = { "x-forwarded-for": address }

/** What the audit log holds since `begin`, without times. */
async function entriesSince({ app }: TestServer, begin: number) {
  const records = await app.store.audit.list({ limit: 1000 })
  return records.filter(({ id }) => id > begin).map(({ id: _, at: __, ...entry }) => entry)
}

const lastOf = async ({ app }: TestServer) => (await app.store.audit.list({ limit: 1 }))[0]?.id ?? 0

const entry = (action: AuditAction, who: string | null, more: Partial<AuditEntry> = {}): Omit<AuditEntry, "at"> => ({
  action,
  who,
  whom: null,
  way: "http",
  address,
  count: 1,
  detail: null,
  before: null,
  after: null,
  ...more,
})

test("log-ins and failed log-ins are recorded with the client's address, and never with what was typed", async () => {
  await using server = await startTestServer(trusting)
  await server.person("Ana")
  const begin = await lastOf(server)
  const submit = (path: string, username: string, password: string) =>
    server.anybody.call("POST", path, { form: { username, password }, headers })

  await submit("/token", "ana", passwordOf("Ana"))
  await submit("/login", "ana", passwordOf("Ana"))
  await submit("/token", "ana", "a wrong password")
  await submit("/login", "a password in the wrong field", "x")

  const entries = await entriesSince(server, begin)
  expect(entries).toEqual([
    entry("login", "ana", { count: 2 }),
    entry("login_failed", null, { whom: "ana" }),
    entry("login_failed", null),
  ])
  expect(JSON.stringify(entries)).not.toContain("password")
  expect(await server.app.store.sessions.list("ana", server.clock.now())).toMatchObject([{ address }])
})

test("each change of a user is recorded, with who made it and whom it concerns", async () => {
  await using server = await startTestServer(trusting)
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  const token = await server.resetToken(ana)
  const begin = await lastOf(server)
  const bruno = { name: "Bruno", email: "bruno@example.com", dept: "support", password: "a secret" }
  const same = { password: "new", password_confirm: "new" }

  await admin.call("POST", "/user/", { json: bruno, headers })
  await ana.call("PATCH", "/user/ana/", { json: { bio: "Hi" }, headers })
  await admin.call("PATCH", "/user/ana/", { json: { bio: null }, headers })
  await server.anybody.call("POST", `/user/ana/password/?pwd_reset_token=${token}`, { json: same, headers })
  await admin.call("POST", "/user/ana/password/", { json: same, headers })
  const anew = await server.as({ username: "ana", password: "new" })
  await anew.call("POST", "/user/ana/password/", { json: same, headers })

  const entries = (await entriesSince(server, begin)).filter(({ action }) => action !== "login")
  expect(entries).toEqual([
    entry("user_created", "admin", {
      whom: "bruno",
      detail: "support",
      after: {
        ...{ name: "Bruno", email: "bruno@example.com", dept: "support", currency: "USD" },
        ...{ avatar: null, bio: null, birthday: null, joined: null },
      },
    }),
    entry("profile_changed", "ana", { whom: "ana", before: { bio: null }, after: { bio: "Hi" } }),
    entry("profile_changed", "admin", { whom: "ana", before: { bio: "Hi" }, after: { bio: null } }),
    entry("password_changed", null, { whom: "ana", detail: "by reset token" }),
    entry("password_changed", "admin", { whom: "ana" }),
    entry("password_changed", "ana", { whom: "ana" }),
  ])
})

test("a refused request leaves no entry", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  const begin = await lastOf(server)

  await ana.post("/user/", { name: "B", email: "b@example.com", dept: "x", password: "x" })
  await admin.post("/user/", { name: "Ana", email: "b@example.com", dept: "x", password: "x" })
  await ana.patch("/user/admin/", { bio: "Hi" })
  await ana.post("/user/ana/password/", { password: "a", password_confirm: "b" })
  await ana.post("/user/admin/password/", { password: "a", password_confirm: "a" })

  expect(await entriesSince(server, begin)).toEqual([])
})
