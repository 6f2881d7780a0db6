import { expect, test } from "bun:test"
import { hideBody, readBody } from "../../src/http/body.ts"

const maxBytes = 65_536
const sent = (body: string, mediaType: string) =>
  new Request("http://localhost/", { method: "POST", body, headers: { "content-type": mediaType } })

test("a field that a form repeats becomes one empty list, however often it comes", async () => {
  const form = sent(`name=Ana&${"a=&".repeat(6_000)}`, "application/x-www-form-urlencoded")

  expect(await readBody(form, "form", maxBytes)).toEqual({ name: "Ana", a: [] })
})

test("what is nested too deeply becomes an empty list, and the other fields stay as they are", async () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
  const read = (body: string) => readBody(sent(body, "application/json"), "json", maxBytes)

  expect(await read(`{"a":${nested(15_000)},"b":[1]}`)).toEqual({ a: [], b: [1] })
  expect(await read(nested(15_000))).toEqual([])
  expect(await read(`{"a":[[[1]]]}`)).toEqual({ a: [[[1]]] })
})

test("a body is hidden only where its length is declared, and is read all the same", async () => {
  const bodies = [{ "content-length": "7" }, {}].map((headers) => {
    const request = new Request("http://localhost/", {
      method: "POST",
      body: `{"a":1}`,
      headers: { "content-type": "application/json", ...headers },
    })
    hideBody(request)
    return request
  })

  expect(bodies.map(({ body }) => body === null)).toEqual([true, false])
  for (const request of bodies) expect(await readBody(request, "json", maxBytes)).toEqual({ a: 1 })
})
