import { expect, spyOn, test } from "bun:test"
import { startTestServer } from "../../support/server.ts"

const plain = { "accept-encoding": "identity" }
const packed = { "accept-encoding": "gzip" }

test("the description of the API is written and compressed once, whoever asks for it", async () => {
  await using server = await startTestServer()
  const written = spyOn(JSON, "stringify")
  const compressed = spyOn(Bun, "gzipSync")
  const ask = (headers: Record<string, string>) => server.anybody.request("GET", "/openapi.json", { headers })
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => ask(plain)))
  const small = await ask(packed)
  const writes = written.mock.calls.filter(
    ([value]) => value !== null && typeof value === "object" && "openapi" in value,
  )
  written.mockRestore()

  const text = await first?.text()
  for (const other of others) expect(await other.text()).toBe(text as string)
  expect(JSON.parse(text ?? "")).toHaveProperty("openapi")
  expect(await small.json()).toEqual(JSON.parse(text ?? ""))
  expect(small.headers.get("content-encoding")).toBe("gzip")
  const length = Buffer.byteLength(text ?? "")
  expect(compressed.mock.calls.filter(([bytes]) => Buffer.byteLength(bytes) === length)).toHaveLength(1)
  expect(writes.length).toBeLessThanOrEqual(2) // once to resolve its references, once as what is sent
  compressed.mockRestore()
})

test("a client that has the description of the API already gets 304, in each encoding", async () => {
  await using server = await startTestServer()
  for (const headers of [plain, packed]) {
    const found = await server.anybody.request("GET", "/openapi.json", { headers })
    const etag = found.headers.get("etag") ?? ""
    expect(Object.fromEntries(found.headers)).toMatchObject({ "cache-control": "no-cache", vary: "accept-encoding" })

    const again = await server.anybody.request("GET", "/openapi.json", {
      headers: { ...headers, "if-none-match": etag },
    })
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag])
    const other = { ...headers, "if-none-match": 'W/"other"' }
    expect((await server.anybody.request("GET", "/openapi.json", { headers: other })).status).toBe(200)
  }
})
