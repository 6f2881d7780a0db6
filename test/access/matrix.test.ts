import { expect, test } from "bun:test"
import type { RequiredScope } from "../../src/domain/auth/access.ts"
import { details, type ErrorCode } from "../../src/http/errors.ts"
import type { NamedGuard } from "../../src/http/guards.ts"
import { badSession, noSuchUser, refused, unauthenticated } from "../support/answers.ts"
import { type Answer, createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { startTestServer } from "../support/server.ts"
import { credentials } from "./credentials.ts"
import { type Call, type Endpoint, named, type Target } from "./endpoint.ts"
import { expectedWord } from "./expected.ts"
import { guardsOf } from "./guards.ts"
import { endpoints, withQuery } from "./rows.ts"
import { type Setup, startSetup } from "./setup.ts"

interface Row {
  readonly name: string
  readonly endpoint: Endpoint
  readonly guard: NamedGuard | undefined
  readonly target: Target
  /** The status of a success. */
  readonly done: string
}

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

test("every documented endpoint is among them", async () => {
  const asked = Object.keys(endpoints).map((name) => routeOf(name))
  expect([...(await documented()).keys()].filter((endpoint) => !asked.includes(endpoint))).toEqual([])
})

test("the OpenAPI document says of every endpoint what its guard demands", async () => {
  const guards = await guardsOf()
  const faults: string[] = []
  for (const [endpoint, { security, codes }] of await documented()) {
    const guard = guards.get(endpoint)
    const { caller, about, role, isRecent } = guard?.row ?? { caller: "anyone" as const }
    const demands = (says: string, isDemanded: boolean, isDocumented: boolean) => {
      if (isDemanded !== isDocumented)
        faults.push(`${endpoint}: ${says}, ${isDemanded ? "demanded" : "documented"} only`)
    }
    const isKnown = !["anyone", "anyoneSettingUp", "watcher"].includes(caller)
    demands("credentials", isKnown, security.length > 0 && security.every((one) => "bearer" in one || "session" in one))
    demands("only tokens", caller === "apiToken", security.length === 1 && "bearer" in (security[0] ?? {}))
    if (!deciding.includes(endpoint)) demands("superusers", role === "superuser", codes.has("not_superuser"))
    if (typeof role === "object") demands(role.selfOr, true, codes.has(role.selfOr))
    if (about) demands(about.missing, true, codes.has(about.missing))
    demands("a recent log-in", isRecent === true, codes.has("login_not_recent"))
  }

  expect(faults).toEqual([])
})

test("an API token needs `read` to read, `give` to give and answer, `admin` for all else, and never reaches credentials", async () => {
  const scopes = [...(await guardsOf())].map(([endpoint, { scope }]) => [endpoint, scope] as const)
  expect(scopes.length).toBeGreaterThan(100)
  expect(scopes.filter(([endpoint, scope]) => scope !== scopeFor(endpoint))).toEqual([])
})

function scopeFor(endpoint: string): RequiredScope {
  if (/password|sessions|tokens|second-factors|passkeys|totp|recovery-codes/.test(endpoint)) return "nobody"
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

/** Endpoints for everybody that refuse something that only superusers may see. */
const deciding: readonly string[] = ["GET /api/v1/stats"]

async function allRows(): Promise<Row[]> {
  const guards = {
    open: await guardsOf(),
    closed: await guardsOf({ "directory.access": "auth", "stream.access": "auth" }),
  }
  const operations = await documented()
  return Object.entries(endpoints).flatMap(([name, endpoint]) => {
    const route = routeOf(name)
    const guard = guards[endpoint.access ?? "open"].get(route)
    const targets: readonly Target[] = endpoint.targets ?? (route.includes("{username}") ? named : ["-"])
    return targets.map((target) => ({ name, endpoint, guard, target, done: operations.get(route)?.done ?? "200" }))
  })
}

/** `GET /user/` for `GET /user/ with "auth"`: a route may have several rows. */
const routeOf = (name: string): string =>
  name
    .replace(/^WebSocket/, "GET")
    .replace(/ with .*$/, "")
    .replace(/\?.*$/, "")

interface Operation {
  readonly security: readonly object[]
  readonly responses: Readonly<
    Record<string, { readonly headers?: Readonly<Record<string, { readonly schema: { readonly enum?: string[] } }>> }>
  >
}

interface Documented {
  readonly security: readonly object[]
  /** Of its errors. */
  readonly codes: ReadonlySet<string>
  /** The status of a success. */
  readonly done: string | undefined
}

/** The operations of the OpenAPI document. */
async function documented(): Promise<ReadonlyMap<string, Documented>> {
  await using server = await startTestServer()
  const { body } = await createClient(server.url).get<{ paths: Record<string, Record<string, Operation>> }>(
    "/openapi.json",
  )
  return new Map(
    Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security, responses }]) => {
        const codes = Object.values(responses).flatMap(({ headers }) => headers?.["Error-Code"]?.schema.enum ?? [])
        const done = Object.keys(responses).find((status) => Number(status) < 400)
        return [`${method.toUpperCase()} ${path}`, { security, codes: new Set(codes), done }] as [string, Documented]
      }),
    ),
  )
}

/** Calls the endpoint once with this credential. Returns the outcome as a word. */
async function outcomeOf(setup: Setup, { endpoint, guard, target }: Row, credential: string): Promise<string> {
  const present = credentials[credential]
  if (!present) throw new Error(`unknown: ${credential}`)
  const { place = "bearer" } = endpoint
  const presented = await present(setup, place)
  const headers = {
    ...(place === "bearer" && presented.token !== undefined && bearer(presented.token)),
    ...presented.headers,
  }
  const { call } = createClient(setup.urls[endpoint.access ?? "open"], headers)
  const given: Call = {
    setup,
    presented,
    target: { self: "ana", other: "carla", unknown: "nobody", signed: "signed", unsigned: "", "-": "" }[target],
    call: (method, path, sent) => call(method, withQuery(path, presented.query), sent),
  }

  const before = await setup.state()
  const answer = await endpoint.ask(given)
  const success = endpoint.done(answer, given)
  const wrote = (await setup.state()) !== before
  if (success !== null && endpoint.ends) setup.forget(endpoint.ends, given.target)

  const word = success ?? wordOf(answer, endpoint, guard)
  return wrote === (success !== null && endpoint.writes === true)
    ? word
    : `${word}, and ${wrote ? "" : "nothing "}written`
}

/** The word for a refusal; an answer that has no word, as JSON. */
function wordOf(
  answer: Answer,
  { forbidden, nobody = unauthenticated }: Endpoint,
  guard: NamedGuard | undefined,
): string {
  const words: readonly (readonly [string, Answer])[] = [
    ["400", refused(400, "Insufficient balance")],
    ["401", nobody],
    ["401s", badSession],
    ["403", refused(403, forbidden ?? details[refusalOf(guard)])],
    ["403t", refused(403, "This token may not do that")],
    ["403o", refused(403, "Requests from other sites are not accepted")],
    ["404", noSuchUser],
    ["422", refused(422, "refresh_token: missing")],
  ]
  return words.find(([, known]) => Bun.deepEquals(known, answer))?.[0] ?? JSON.stringify(answer)
}

function refusalOf(guard: NamedGuard | undefined): ErrorCode {
  const role = guard?.row?.role
  return typeof role === "object" ? role.selfOr : "not_superuser"
}
