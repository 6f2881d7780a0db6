import { expect, test } from "bun:test"
import { startTestServer } from "../support/server.ts"

test("request line and headers may have 16 KiB together; a longer head is 431, and later requests still work", async () => {
  await using server = await startTestServer()
  const statusOf = async (query: number, header: number) => {
    const headers = { "x-anything": "a".repeat(header) }
    return (await fetch(`${server.url}/user/?anything=${"a".repeat(query)}`, { headers })).status
  }

  expect(await statusOf(7_500, 8_000)).toBe(200)
  expect([await statusOf(16_384, 0), await statusOf(0, 16_384), await statusOf(9_000, 9_000)]).toEqual([431, 431, 431])
  expect(await statusOf(0, 0)).toBe(200)
})
