import { describe, expect, test } from "bun:test"
import type { Credentials, RequiredScope } from "../../../src/domain/auth/access.ts"
import { DomainError } from "../../../src/domain/errors.ts"
import type { User } from "../../../src/domain/people/model.ts"
import { openTestApp, operator } from "../../support/app.ts"

const address = "192.0.2.7"
const withSecret = (secret: string, fresh = false): Credentials => ({
  sessionId: null,
  authorization: `Bearer ${secret}`,
  fresh,
  address,
})
const origin = { who: "ana", way: "http", address } as const
const day = 24 * 3_600_000

async function open() {
  const opened = await openTestApp()
  const { apiTokens, access } = opened.app
  const ana = await opened.create("Ana")
  const carla = await opened.create("Carla", { dept: "management" })
  return {
    ...opened,
    ana,
    carla,
    apiTokens,
    create: (user: User, scopes: readonly string[] = ["read"], expiresAt?: string) =>
      apiTokens.createOwn(user, origin, { name: "Script", scopes, expiresAt }),
    /** Who the caller is, or the code of the refusal. */
    call: (secret: string, required: RequiredScope = "read", fresh = false): Promise<string> =>
      access.caller(withSecret(secret, fresh), required).then(
        ({ user }) => user.username,
        ({ code }) => code,
      ),
  }
}

test("a secret is a prefix, 32 random bytes and a checksum in base 62, and only its hash is stored", async () => {
  await using given = await open()
  const { secret, apiToken } = await given.create(given.ana)
  const another = await given.create(given.ana)

  expect(secret).toMatch(/^rwd_[0-9A-Za-z]{49}$/)
  expect(another.secret).not.toBe(secret)
  expect(secret.startsWith(apiToken.prefix)).toBe(true)
  expect(apiToken.prefix).toHaveLength(12)
  expect(JSON.stringify(apiToken)).not.toContain(secret)
  expect(await given.call(secret)).toBe("ana")
})

test("a malformed secret is refused without a query, and an unknown well-formed one with a single query", async () => {
  await using given = await open()
  const { store } = given.app
  const { secret, apiToken } = await given.create(given.ana)
  let asked = 0
  const { find } = store.apiTokens
  Object.assign(store.apiTokens, {
    find: (hash: string) => {
      asked += 1
      return find(hash)
    },
  })

  const changed = secret.slice(0, 20) + (secret[20] === "a" ? "b" : "a") + secret.slice(21)
  for (const bad of [changed, secret.slice(0, -1), `${secret}0`, "rwd_", secret.toUpperCase().replace("RWD", "rwd")])
    expect(await given.call(bad)).toBe("bad_credentials")
  expect(asked).toBe(0)

  await given.apiTokens.revoke(origin, apiToken)
  expect(await given.call(secret)).toBe("bad_credentials")
  expect(asked).toBe(1)
  expect(given.apiTokens.counts()).toEqual({ accepted: 0, refused: 6 })
})

describe("scopes", () => {
  for (const [scopes, permitted] of [
    [["read"], ["read"]],
    [["give"], ["read", "give"]],
    [["admin"], ["read", "give", "admin"]],
    [
      ["read", "admin"],
      ["read", "give", "admin"],
    ],
  ] as const)
    test(`a superuser's token of ${scopes.join(" and ")} has the permissions ${permitted.join(", ")}`, async () => {
      await using given = await open()
      const { secret } = await given.create(given.carla, scopes)

      for (const required of ["read", "give", "admin", "nobody"] as const) {
        const isPermitted = permitted.some((scope) => scope === required)
        expect(await given.call(secret, required)).toBe(isPermitted ? "carla" : "beyond_scope")
      }
    })

  test("only a superuser's account can have a token of scope admin, and it works only while that user is a superuser", async () => {
    await using given = await open()
    await expect(given.create(given.ana, ["admin"])).rejects.toMatchObject({ code: "invalid" })
    const { secret } = await given.create(given.carla, ["admin"])

    const demoted = await given.app.users.correct(operator, given.carla, { dept: "sales" })
    await new Promise(setImmediate)
    expect(await given.call(secret, "admin")).toBe("beyond_scope")
    expect(await given.call(secret, "give")).toBe("carla")

    await given.app.users.correct(operator, demoted, { dept: "management" })
    await new Promise(setImmediate)
    expect(await given.call(secret, "admin")).toBe("carla")
  })

  test("on public endpoints an invalid token counts as none, but one without the required scope is refused", async () => {
    await using given = await open()
    const { secret } = await given.create(given.ana)
    const { callerIfAny } = given.app.access

    expect((await callerIfAny(withSecret(secret), "read"))?.user.username).toBe("ana")
    expect(await callerIfAny(withSecret("rwd_x"), "nobody")).toBeNull()
    await expect(callerIfAny(withSecret(secret), "nobody")).rejects.toMatchObject({ code: "beyond_scope" })
  })

  test("an API token is never fresh, so only superusers can use it where a fresh token is required", async () => {
    await using given = await open()

    expect(await given.call((await given.create(given.ana)).secret, "read", true)).toBe("bad_credentials")
    expect(await given.call((await given.create(given.carla)).secret, "read", true)).toBe("carla")
  })
})

test("a token expires at its time and is listed for another month", async () => {
  await using given = await open()
  const { secret, apiToken } = await given.create(given.ana, ["read"], "2026-01-05T10:00:00Z")
  expect(apiToken.expiresAt).toBe(Date.parse("2026-01-05T10:00:00Z"))

  given.clock.advance(3_600_000 - 1)
  expect(await given.call(secret)).toBe("ana")
  given.clock.advance(1)
  expect(await given.call(secret)).toBe("bad_credentials")

  given.clock.advance(30 * day)
  await given.apiTokens.sweep(given.clock.now())
  expect(await given.apiTokens.ownOf(given.ana)).toHaveLength(1)
  given.clock.advance(1)
  await given.apiTokens.sweep(given.clock.now())
  expect(await given.apiTokens.ownOf(given.ana)).toEqual([])
})

test("an expiry given as a day means the beginning of that day in the time zone of the service", async () => {
  await using given = await openTestApp({ settings: { "service.time_zone": "America/Sao_Paulo" } })
  const ana = await given.create("Ana")

  const request = { name: "Script", scopes: ["read"], expiresAt: "2026-02-01" }
  const { apiToken } = await given.app.apiTokens.createOwn(ana, origin, request)

  expect(apiToken.expiresAt).toBe(Date.parse("2026-02-01T03:00:00Z"))
})

test("an invalid request is refused with its field, and nothing is created", async () => {
  await using given = await open()
  const fits = { name: "Script", scopes: ["read"] }
  for (const [field, request] of [
    ["name", { ...fits, name: " " }],
    ["name", { ...fits, name: "a".repeat(101) }],
    ["name", { ...fits, name: "a\u0000b" }],
    ["scopes", { ...fits, scopes: [] }],
    ["scopes", { ...fits, scopes: ["read", "everything"] }],
    ["expires_at", { ...fits, expiresAt: "tomorrow" }],
    ["expires_at", { ...fits, expiresAt: "2026-01-05" }],
    ["expires_at", { ...fits, expiresAt: "2026-02-30" }],
    ["expires_at", { ...fits, expiresAt: "2026-13-01T00:00:00Z" }],
  ] as const)
    await expect(given.apiTokens.createOwn(given.ana, origin, request)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(`${field}:`),
    })
  expect(await given.apiTokens.all()).toEqual([])
})

test("the last use is shown at once; the next sweep stores it, with one write for many requests", async () => {
  await using given = await open()
  const { store } = given.app
  const { secret } = await given.create(given.ana)
  let written = 0
  const { saveUses } = store.apiTokens
  Object.assign(store.apiTokens, {
    saveUses: (uses: Parameters<typeof saveUses>[0]) => {
      written += uses.length
      return saveUses(uses)
    },
  })

  for (let request = 0; request < 5; request += 1) {
    given.clock.advance(1_000)
    await given.call(secret)
  }
  expect(written).toBe(0)
  await given.apiTokens.sweep(given.clock.now())
  await given.apiTokens.sweep(given.clock.now())

  expect(written).toBe(1)
  expect((await store.apiTokens.list(given.ana.id, null))[0]).toMatchObject({
    lastUsedAt: given.clock.now(),
    lastUsedFrom: address,
  })
  given.clock.advance(1_000)
  await given.call(secret)
  expect((await given.apiTokens.ownOf(given.ana))[0]?.lastUsedAt).toBe(given.clock.now())
})

test("a last use that cannot be stored now is stored by a later sweep", async () => {
  await using given = await open()
  const { store } = given.app
  const { secret } = await given.create(given.ana)
  const { saveUses } = store.apiTokens
  for (const code of ["unwritable", "unavailable"] as const) {
    Object.assign(store.apiTokens, { saveUses: () => Promise.reject(new DomainError(code)) })
    given.clock.advance(1_000)
    await given.call(secret)
    await given.apiTokens.sweep(given.clock.now())
    Object.assign(store.apiTokens, { saveUses })

    await given.apiTokens.sweep(given.clock.now())
    expect((await store.apiTokens.list(given.ana.id, null))[0]?.lastUsedAt).toBe(given.clock.now())
  }
})

test("only superusers create service tokens, which act for their account while it is active", async () => {
  await using given = await open()
  const { apiTokens, ana, carla } = given
  const request = { name: "Bot", scopes: ["give"] }
  const asCarla = { ...origin, user: carla, who: "carla" }
  const asAna = { ...origin, user: ana }

  await expect(apiTokens.createService(asAna, ana, request)).rejects.toMatchObject({ code: "not_superuser" })
  const { secret, apiToken } = await apiTokens.createService(asCarla, ana, request)
  expect(apiToken).toMatchObject({ kind: "service", username: "ana" })
  expect(await given.call(secret, "give")).toBe("ana")
  expect(await apiTokens.ownOf(ana)).toEqual([])
  expect(await apiTokens.service()).toMatchObject([{ id: apiToken.id }])

  await given.app.leavers.deactivate(asCarla, ana, { returnPoints: false })
  await new Promise(setImmediate)
  expect(await given.call(secret, "give")).toBe("bad_credentials")
  const left = await given.app.access.toUser("ana")
  await expect(apiTokens.createService(asCarla, left, request)).rejects.toMatchObject({ code: "user_not_found" })
})

test("creation and revocation are recorded in the audit log, without the secret", async () => {
  await using given = await open()
  const { secret, apiToken } = await given.create(given.ana, ["give", "read"])
  await given.apiTokens.revoke(operator, apiToken)
  await expect(given.apiTokens.revoke(operator, apiToken)).rejects.toMatchObject({ code: "token_not_found" })

  const entries = await given.app.store.audit.list({ limit: 2 })
  expect(entries).toMatchObject([
    { action: "token_created", who: "ana", whom: "ana", address, detail: "personal Script: read, give" },
    { action: "token_revoked", who: "olga", whom: "ana", detail: "personal Script: read, give" },
  ])
  expect(JSON.stringify(entries)).not.toContain(secret)
})
