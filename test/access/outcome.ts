import { details, type ErrorCode } from "../../src/http/errors.ts"
import type { NamedGuard } from "../../src/http/guards.ts"
import { badSession, noSuchUser, refused, unauthenticated } from "../support/answers.ts"
import { type Answer, createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { startTestServer } from "../support/server.ts"
import { credentials } from "./credentials.ts"
import { type Call, type Endpoint, named, type Target } from "./endpoint.ts"
import { guardsOf } from "./guards.ts"
import { endpoints, withQuery } from "./rows.ts"
import type { Setup } from "./setup.ts"

export interface Row {
  readonly name: string
  readonly endpoint: Endpoint
  readonly guard: NamedGuard | undefined
  readonly target: Target
  /** The status of a success. */
  readonly done: string
}

/** Every row for every target. */
export async function allRows(): Promise<Row[]> {
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
export const routeOf = (name: string): string =>
  name
    .replace(/^WebSocket/, "GET")
    .replace(/ with .*$/, "")
    .replace(/\?.*$/, "")

interface Operation {
  readonly "x-duties"?: readonly string[]
  readonly responses: object
}

interface Documented {
  readonly duties: readonly string[]
  /** The status of a success. */
  readonly done: string | undefined
}

/** The operations of the OpenAPI document. */
export async function documented(): Promise<ReadonlyMap<string, Documented>> {
  await using server = await startTestServer()
  const { body } = await createClient(server.url).get<{ paths: Record<string, Record<string, Operation>> }>(
    "/openapi.json",
  )
  return new Map(
    Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses, ...operation }]) => {
        const done = Object.keys(responses).find((status) => Number(status) < 400)
        return [`${method.toUpperCase()} ${path}`, { duties: operation["x-duties"] ?? [], done }] as [
          string,
          Documented,
        ]
      }),
    ),
  )
}

/** Calls the endpoint once with this credential. Returns the outcome as a word. */
export async function outcomeOf(setup: Setup, { endpoint, guard, target }: Row, credential: string): Promise<string> {
  const present = credentials[credential]
  if (!present) throw new Error(`unknown: ${credential}`)
  const { place = "bearer" } = endpoint
  const presented = await present(setup, place)
  const headers = {
    ...(place === "bearer" && presented.token !== undefined && bearer(presented.token)),
    ...presented.headers,
  }
  const url = setup.urls[endpoint.access ?? "open"]
  const { call } = createClient(url, headers)
  const given: Call = {
    setup,
    presented,
    target: { self: "ana", other: "carla", unknown: "nobody", signed: "signed", super: "admin", unsigned: "", "-": "" }[
      target
    ],
    call: (method, path, sent) => call(method, withQuery(path, presented.query), sent),
  }

  const before = await setup.state()
  const answer = await endpoint.ask(given)
  const success = endpoint.done(answer, given)
  const wrote = (await setup.state()) !== before
  if (success !== null && endpoint.ends) setup.forget(endpoint.ends, given.target)

  const word = success ?? wordOf(answer, endpoint, { guard, url })
  return wrote === (success !== null && endpoint.writes === true)
    ? word
    : `${word}, and ${wrote ? "" : "nothing "}written`
}

/** The word for a refusal; an answer that has no word, as JSON. */
function wordOf(
  answer: Answer,
  { forbidden, nobody = unauthenticated }: Endpoint,
  { guard, url }: { readonly guard: NamedGuard | undefined; readonly url: string },
): string {
  const words: readonly (readonly [string, Answer])[] = [
    ["400", refused(400, "Insufficient balance")],
    ["401", nobody],
    ["401s", badSession],
    ["403", refused(403, forbidden ?? details[refusalOf(guard)])],
    ["403t", refused(403, "This token may not do that")],
    ["403o", refused(403, details.foreign_origin)],
    // Behind a proxy its address is `server.base_url`.
    ["403o", refused(403, `${details.foreign_origin}; this server is used at ${url}`)],
    ["404", noSuchUser],
    ["422", refused(422, "refresh_token: missing")],
  ]
  return words.find(([, known]) => Bun.deepEquals(known, answer))?.[0] ?? JSON.stringify(answer)
}

function refusalOf(guard: NamedGuard | undefined): ErrorCode {
  const role = guard?.row?.role
  return typeof role === "object" ? role.selfOr : "not_superuser"
}
