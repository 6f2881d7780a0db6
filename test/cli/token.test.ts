import { expect, test } from "bun:test"
import { createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { startTestServer } from "../support/server.ts"
import { done, misused, operator, refused } from "./operator.ts"

/** A running server with Ana, who has 100 points, and an operator beside it. */
async function operatorBesideServer() {
  const server = await startTestServer()
  const operates = await operator()
  const ana = await server.person("Ana")
  await server.grant(ana, 100)
  return {
    server,
    ana,
    types: (...args: readonly string[]) =>
      operates.types([...args, "--db", server.app.config.db.path], { now: server.clock.now }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await operates[Symbol.asyncDispose]()
    },
  }
}

test("the operator creates a token that works in the running server, and revokes it", async () => {
  await using beside = await operatorBesideServer()
  const { server, types } = beside

  const created = await types(
    "token",
    "create",
    "Bot",
    "--user",
    "ana",
    "--scope",
    "read,give",
    "--expires",
    "2027-01-01",
  )
  const secret = created.stdout.trim()
  expect(secret).toMatch(/^rwd_[0-9A-Za-z]{49}$/)
  expect(created.stderr).toBe("Token 1 acts for ana and expires at 2027-01-01T00:00:00.000Z. It is not shown again.\n")
  const bot = createClient(server.url, bearer(secret))
  const headers = { "idempotency-key": "one" }
  expect((await bot.call("POST", "/transaction/admin/", { json: { value: 1 }, headers })).status).toBe(201)

  await server.app.apiTokens.sweep(server.clock.now())
  const listed = await types("token", "list", "--json")
  expect(JSON.parse(listed.stdout)).toEqual([
    {
      id: 1,
      kind: "service",
      username: "ana",
      name: "Bot",
      prefix: secret.slice(0, 12),
      scopes: ["read", "give"],
      created_at: "2026-01-05T09:00:00.000Z",
      expires_at: "2027-01-01T00:00:00.000Z",
      last_used_at: "2026-01-05T09:00:00.000Z",
      last_used_from: "127.0.0.1",
    },
  ])
  expect((await types("token", "list")).stdout).toContain(`1   service  ana   Bot   ${secret.slice(0, 12)}  read,give`)

  expect(await types("token", "revoke", "1")).toEqual(done("Token 1 (Bot) of ana revoked"))
  expect((await bot.get("/api/v1/me")).status).toBe(401)
  const { stdout } = await types("audit", "--json")
  const actions = (JSON.parse(stdout) as { action: string; who: string }[]).map(({ action, who }) => `${who} ${action}`)
  expect(actions.slice(-2)).toEqual(["olga token_created", "olga token_revoked"])
})

test("personal tokens are listed and can be revoked too", async () => {
  await using beside = await operatorBesideServer()
  await beside.ana.post("/api/v1/tokens", { name: "Script", scopes: ["read"] })

  expect(JSON.parse((await beside.types("token", "list", "--json")).stdout)).toMatchObject([{ kind: "personal" }])
  expect(await beside.types("token", "revoke", "1")).toEqual(done("Token 1 (Script) of ana revoked"))
  expect(await beside.types("token", "revoke", "1")).toEqual(refused("Token not found"))
})

test("an id that is not a number is a usage error", async () => {
  await using operates = await operator()
  for (const id of ["abc", "1.5", "1e3", "", "9".repeat(400)])
    expect(await operates.types(["token", "revoke", id])).toEqual(
      misused("ID must be the id of a token", "See: rewards token revoke --help"),
    )
})

test("an invalid request is refused, and no token is created", async () => {
  await using beside = await operatorBesideServer()
  const { types } = beside
  const create = (...args: readonly string[]) => types("token", "create", "Bot", ...args)

  expect(await create("--user", "nobody", "--scope", "read")).toEqual(refused("User not found: nobody"))
  expect(await create("--user", "ana", "--scope", "admin")).toEqual(
    refused("scopes: admin is for superusers' accounts"),
  )
  expect(await create("--user", "ana", "--scope", "all")).toEqual(refused("scopes: some of read, give, admin"))
  expect((await create("--user", "ana", "--scope", "read", "--expires", "2020-01-01")).stderr).toContain("expires_at:")
  expect(await create("--user", "ana")).toEqual(misused("missing --scope SCOPES\nSee: rewards token create --help"))
  expect(await beside.server.app.apiTokens.all()).toEqual([])
})
