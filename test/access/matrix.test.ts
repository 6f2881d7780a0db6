import { expect, test } from "bun:test"
import type { RequiredScope } from "../../src/domain/auth/access.ts"
import { type Duty, dutyNames } from "../../src/domain/people/model.ts"
import { credentials } from "./credentials.ts"
import { expectedWord } from "./expected.ts"
import { guardsOf } from "./guards.ts"
import { allRows, documented, outcomeOf, type Row, routeOf } from "./outcome.ts"
import { endpoints } from "./rows.ts"
import { startSetup } from "./setup.ts"

test("every endpoint answers every kind of credential, for every target, as its guard promises", async () => {
  await using setup = await startSetup()
  const faults: string[] = []
  for (const row of await allRows())
    for (const credential of Object.keys(credentials)) {
      const expected = expectedWord(row.name, row.endpoint, row.guard, { ...row, credential })
      const word = await outcomeOf(setup, row, credential)
      if (word !== expected) faults.push(`${row.name} ${row.target} ${credential}: ${word} instead of ${expected}`)
    }

  expect(faults).toEqual([])
}, 300_000)

test("every endpoint opens to every duty as its guard promises, for every target, and to no token that can give", async () => {
  await using setup = await startSetup()
  const rows = (await allRows()).flatMap(withSuperuser)
  const faults: string[] = []
  for (const duty of dutyNames) {
    await setup.giveDuties(setup.ana, [duty])
    for (const row of rows)
      for (const credential of ["access", "cookie", "t.read", "t.give"]) {
        const expected = expectedWord(row.name, row.endpoint, row.guard, { ...row, credential, duties: [duty] })
        const word = await outcomeOf(setup, row, credential)
        if (word !== expected)
          faults.push(`${duty}: ${row.name} ${row.target} ${credential}: ${word} instead of ${expected}`)
      }
  }

  expect(faults).toEqual([])
}, 300_000)

/** A row and, where it is about an account, the same for a superuser's. */
const withSuperuser = (row: Row): readonly Row[] =>
  row.target === "other" && row.guard?.row?.role !== undefined ? [row, { ...row, target: "super" }] : [row]

test("every documented endpoint is among them", async () => {
  const asked = Object.keys(endpoints).map((name) => routeOf(name))
  expect([...(await documented()).keys()].filter((endpoint) => !asked.includes(endpoint))).toEqual([])
})

test("the OpenAPI document says which duties open an endpoint or show more of it", async () => {
  const guards = await guardsOf()
  for (const [endpoint, { duties }] of await documented())
    expect([endpoint, duties]).toEqual([endpoint, guards.get(endpoint)?.row?.duties ?? showingMore[endpoint] ?? []])
})

test("an API token needs `read` to read, `give` to give and answer, `admin` for all else, and never reaches credentials", async () => {
  const scopes = [...(await guardsOf())].map(([endpoint, { scope }]) => [endpoint, scope] as const)
  expect(scopes.length).toBeGreaterThan(100)
  expect(scopes.filter(([endpoint, scope]) => scope !== scopeFor(endpoint))).toEqual([])
})

function scopeFor(endpoint: string): RequiredScope {
  if (/password|sessions|tokens|push|second-factors|passkeys|totp|recovery-codes|links/.test(endpoint)) return "nobody"
  if (endpoint.includes("/scim/") || endpoint === "GET /api/v1/events") return "admin"
  if (endpoint.startsWith("GET ")) return "read"
  return giving.includes(endpoint) ? "give" : "admin"
}

const giving = [
  "POST /transaction/{username}/",
  "POST /api/v1/transactions",
  "POST /api/v1/recognitions/{id}/points",
  "POST /api/v1/grants",
  "PUT /api/v1/recognitions/{id}/reactions/{emoji}",
  "DELETE /api/v1/recognitions/{id}/reactions/{emoji}",
  "POST /api/v1/recognitions/{id}/replies",
  "DELETE /api/v1/replies/{id}",
  "PUT /api/v1/rewards/{id}/wish",
  "DELETE /api/v1/rewards/{id}/wish",
  "POST /api/v1/rewards/{id}/redemptions",
]

/** Endpoints for everybody that show more to people with a duty. */
const showingMore: Readonly<Record<string, readonly Duty[]>> = {
  "GET /api/v1/rewards": ["rewards"],
  "GET /api/v1/redemptions": ["rewards"],
  "GET /api/v1/people": ["people"],
  "GET /api/v1/departments": ["people", "programme"],
}
