import { expect, test } from "bun:test"
import { type Incoming, readBody } from "../../src/http/body.ts"
import { hideBody } from "../../src/http/rest.ts"

const maxBytes = 65_536
const sent = (body: string, mediaType: string) =>
  incoming(new Request("http://localhost/", { method: "POST", body, headers: { "content-type": mediaType } }))
const incoming = (request: Request): Incoming => ({ request, receive: (body) => body })

test("a field repeated in a form is read as one empty list, however often it comes", async () => {
  const form = sent(`name=Ana&${"a=&".repeat(6_000)}`, "application/x-www-form-urlencoded")

  expect(await readBody(form, "form", maxBytes)).toEqual({ name: "Ana", a: [] })
})

test("a value nested too deeply is read as an empty list, and other fields are unchanged", async () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
  const read = (body: string) => readBody(sent(body, "application/json"), "json", maxBytes)

  expect(await read(`{"a":${nested(15_000)},"b":[1]}`)).toEqual({ a: [], b: [1] })
  expect(await read(nested(15_000))).toEqual([])
  expect(await read(`{"a":[[[1]]]}`)).toEqual({ a: [[[1]]] })
})

test("a body is hidden from the framework only if its length is declared, and can be read either way", async () => {
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
  for (const request of bodies) expect(await readBody(incoming(request), "json", maxBytes)).toEqual({ a: 1 })
})
