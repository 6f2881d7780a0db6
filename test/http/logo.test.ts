import { expect, test } from "bun:test"
import { folderWithLogo, png, svg } from "../support/logo.ts"
import { startTestServer } from "../support/server.ts"

test.each([
  ["image/png", png],
  ["image/svg+xml", svg],
])("everybody gets the logo as %s, to keep, and nothing in it may run or load anything", async (type, content) => {
  await using folder = await folderWithLogo("logo", content)
  await using server = await startTestServer({ settings: { "service.logo": folder.file } })
  const path = server.app.logo?.path ?? ""

  const answer = await server.anybody.request("GET", path)

  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": type,
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
  })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(content))
  expect((await server.anybody.request("GET", path.replace(/.$/, "x"))).status).toBe(404)
})
