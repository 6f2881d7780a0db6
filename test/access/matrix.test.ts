import { expect, test } from "bun:test"
import { badSession, noSuchUser, refused, unauthenticated } from "../support/answers.ts"
import { type Answer, createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { startServer } from "../support/executable.ts"
import { credentials } from "./credentials.ts"
import type { Asked, Endpoint } from "./endpoint.ts"
import { type House, openHouse } from "./house.ts"
import { endpoints, withQuery } from "./rows.ts"
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

test("every endpoint answers every kind of credential as the table says, for every target", async () => {
  await using house = await openHouse()
  const faults: string[] = []
  for (const row of rows)
    for (const [index, credential] of columns.entries()) {
      const word = await play(house, row, credential)
      if (word !== row.cells[index]) faults.push(`${row.endpoint} ${row.target} ${credential}: ${word}`)
    }

  expect(faults).toEqual([])
}, 120_000)

test("the table has every kind of credential and every endpoint, the ones of the API page too", async () => {
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

/** Calls the endpoint once with this credential, and tells the outcome in a word of the table. */
async function play(house: House, { endpoint: name, target }: Row, credential: string): Promise<string> {
  const endpoint = endpoints[name]
  const show = credentials[credential]
  if (!endpoint || !show) throw new Error(`nothing is known of ${endpoint ? credential : name}`)
  const { place = "bearer" } = endpoint
  const shown = await show(house, place)
  const headers = { ...(place === "bearer" && shown.token !== undefined && bearer(shown.token)), ...shown.headers }
  const { call } = createClient(house.urls[endpoint.access ?? "open"], headers)
  const asked: Asked = {
    house,
    shown,
    target: { self: "ana", other: "carla", unknown: "nobody" }[target] ?? "",
    call: (method, path, sent) => call(method, withQuery(path, shown.query), sent),
  }

  const before = house.state()
  const answer = await endpoint.ask(asked)
  const success = endpoint.done(answer, asked)
  const wrote = house.state() !== before
  if (success !== null && endpoint.ends) house.forget()

  const word = success ?? wordOf(answer, endpoint)
  return wrote === (success !== null && endpoint.writes === true)
    ? word
    : `${word}, and ${wrote ? "" : "nothing "}written`
}

/** The word for a refusal; one that the table does not know is told whole. */
function wordOf(answer: Answer, { forbidden = "", nobody = unauthenticated }: Endpoint): string {
  const words: readonly (readonly [string, Answer])[] = [
    ["401", nobody],
    ["401s", badSession],
    ["403", refused(403, forbidden)],
    ["403o", refused(403, "Requests from other sites are not accepted")],
    ["404", noSuchUser],
    ["422", refused(422, "refresh_token: Expected required property; refresh_token: Expected string")],
  ]
  return words.find(([, known]) => Bun.deepEquals(known, answer))?.[0] ?? JSON.stringify(answer)
}

function cellsOf(line: string): string[] {
  return line.split("|").map((cell) => cell.trim())
}
