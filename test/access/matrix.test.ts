import { expect, test } from "bun:test"
import { badSession, noSuchUser, refused, unauthenticated } from "../support/answers.ts"
import { type Answer, createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { startServer } from "../support/executable.ts"
import { credentials } from "./credentials.ts"
import type { Call, Endpoint } from "./endpoint.ts"
import { endpoints, withQuery } from "./rows.ts"
import { type Setup, startSetup } from "./setup.ts"
import { table } from "./table.ts"

interface Row {
  readonly endpoint: string
  readonly target: string
  /** A word for each credential, in the order of the first line. */
  readonly cells: readonly string[]
}

const [head = "", ...lines] = table.trim().split("\n")
const columns = cellsOf(head).slice(1)
const rows = lines.map((line): Row => {
  const [label = "", ...cells] = cellsOf(line)
  const [, endpoint = "", target = ""] = /^(.*\S) +(\S+)$/.exec(label) ?? []
  return { endpoint, target, cells }
})

test("every endpoint answers every kind of credential, for every target, as the table says", async () => {
  await using setup = await startSetup()
  const faults: string[] = []
  for (const row of rows)
    for (const [index, credential] of columns.entries()) {
      const word = await outcomeOf(setup, row, credential)
      if (word !== row.cells[index]) faults.push(`${row.endpoint} ${row.target} ${credential}: ${word}`)
    }

  expect(faults).toEqual([])
}, 300_000)

test("the table has every kind of credential and every documented endpoint", async () => {
  await using server = await startServer()
  const { body } = await createClient(server.url).get<{ paths: Record<string, object> }>("/openapi.json")
  const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )

  expect(columns).toEqual(Object.keys(credentials))
  const inTable = [...new Set(rows.map(({ endpoint }) => endpoint))]
  expect(inTable).toEqual(Object.keys(endpoints))
  expect(documented.filter((endpoint) => !inTable.includes(endpoint))).toEqual([])
  expect(rows.filter(({ cells }) => cells.length !== columns.length)).toEqual([])
})

/** Calls the endpoint once with this credential. Returns the outcome as a word of the table. */
async function outcomeOf(setup: Setup, { endpoint: name, target }: Row, credential: string): Promise<string> {
  const endpoint = endpoints[name]
  const present = credentials[credential]
  if (!endpoint || !present) throw new Error(`unknown: ${endpoint ? credential : name}`)
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
    target: { self: "ana", other: "carla", unknown: "nobody", signed: "signed" }[target] ?? "",
    call: (method, path, sent) => call(method, withQuery(path, presented.query), sent),
  }

  const before = await setup.state()
  const answer = await endpoint.ask(given)
  const success = endpoint.done(answer, given)
  const wrote = (await setup.state()) !== before
  if (success !== null && endpoint.ends) setup.forget(endpoint.ends, given.target)

  const word = success ?? wordOf(answer, endpoint)
  return wrote === (success !== null && endpoint.writes === true)
    ? word
    : `${word}, and ${wrote ? "" : "nothing "}written`
}

/** The word for a refusal; an answer that the table does not know, as JSON. */
function wordOf(answer: Answer, { forbidden = "", nobody = unauthenticated }: Endpoint): string {
  const words: readonly (readonly [string, Answer])[] = [
    ["400", refused(400, "Insufficient balance")],
    ["401", nobody],
    ["401s", badSession],
    ["403", refused(403, forbidden)],
    ["403t", refused(403, "This token may not do that")],
    ["403o", refused(403, "Requests from other sites are not accepted")],
    ["404", noSuchUser],
    ["422", refused(422, "refresh_token: missing")],
  ]
  return words.find(([, known]) => Bun.deepEquals(known, answer))?.[0] ?? JSON.stringify(answer)
}

function cellsOf(line: string): string[] {
  return line.split("|").map((cell) => cell.trim())
}
