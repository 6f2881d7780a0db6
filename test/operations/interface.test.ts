import { expect, test } from "bun:test"
import { join } from "node:path"
import { commands } from "../../src/cli/commands.ts"
import { details, type ErrorCode, statuses } from "../../src/http/errors.ts"
import { type Documented, requestsPage } from "../../tooling/openapi/requests.ts"
import { guardsOf } from "../access/guards.ts"
import { startTestServer } from "../support/server.ts"

const folder = join(import.meta.dir, "../../docs/interface")
const textOf = (name: string) => Bun.file(join(folder, name)).text()
/** What people have written there; the list of all requests is not. */
const names = [...new Bun.Glob("*.md").scanSync(folder)].filter((name) => name !== "requests.md").sort()
const page = (await Promise.all(names.map(textOf))).join("\n")
const missingIn = (named: readonly string[]) => named.filter((name) => !page.includes(name))

test("docs/interface names exactly the requests of the HTTP interface", async () => {
  await using server = await startTestServer()
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: Record<string, object> }
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/(.)\/$/, "$1")}`),
  )
  const named = [...page.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?]*?)\/?`/g)].map(
    ([, method, path]) => `${method} ${path}`,
  )

  expect(served.length).toBeGreaterThan(25)
  expect([...new Set(named)].toSorted()).toEqual(served.toSorted())
})

test("the page with every request is what the OpenAPI document says (if not, run `bun run docs:requests`)", async () => {
  await using server = await startTestServer()
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Documented
  expect(await textOf("requests.md")).toBe(requestsPage(document))
})

test("the index of docs/interface links to each of its pages", async () => {
  const linked = [...(await textOf("README.md")).matchAll(/^- \[.+\]\(([\w-]+\.md)\)$/gm)].map(([, name = ""]) => name)
  expect(["README.md", ...linked].toSorted()).toEqual(names)
})

test('docs/interface and the page of API tokens name all that the scope "give" opens', async () => {
  const opened = [...(await guardsOf())].filter(([, { scope }]) => scope === "give").map(([route]) => route)
  const tokens = await Bun.file(join(import.meta.dir, "../../docs/operations/api-tokens.md")).text()
  const said = [/`give`: also[^;]*;/.exec(page)?.[0] ?? "", /^\| `give` \| .*$/m.exec(tokens)?.[0] ?? ""]

  expect(opened.toSorted()).toEqual(Object.keys(namedGiving).toSorted())
  for (const text of said)
    expect(Object.values(namedGiving).filter((words) => !words.test(text.replaceAll("\n", " ")))).toEqual([])
})

/** How the pages name each request. */
const namedGiving: Readonly<Record<string, RegExp>> = {
  "POST /transaction/{username}/": /transfers|send points/,
  "POST /api/v1/transactions": /transfers|send points/,
  "POST /api/v1/recognitions/{id}/points": /transfers|send points/,
  "POST /api/v1/grants": /grants|send points/,
  "PUT /api/v1/recognitions/{id}/reactions/{emoji}": /reactions|react/,
  "DELETE /api/v1/recognitions/{id}/reactions/{emoji}": /reactions|react/,
  "POST /api/v1/recognitions/{id}/replies": /replies|reply/,
  "DELETE /api/v1/replies/{id}": /replies|reply/,
  "POST /api/v1/rewards/{id}/redemptions": /redemptions|redeem/,
  "PUT /api/v1/rewards/{id}/wish": /wishes|wish for/,
  "DELETE /api/v1/rewards/{id}/wish": /wishes|wish for/,
}

test("docs/interface names every command of the command line", () => {
  expect(missingIn(commands.map(({ name }) => `\`rewards ${name}`))).toEqual([])
})

test("docs/interface lists every error with its status, code and detail", () => {
  const rows = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.*?) \|/gm)]
  const listed = rows.map(([, status, code = "", detail]) => ({ status: Number(status), code, detail }))
  const all = Object.entries(statuses).map(([code, status]) => ({ status, code, detail: details[code as ErrorCode] }))

  expect(listed.toSorted(byCode)).toEqual(all.toSorted(byCode))
})

const byCode = (one: { readonly code: string }, other: { readonly code: string }) => (one.code < other.code ? -1 : 1)
