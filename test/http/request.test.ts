import { expect, test } from "bun:test"
import { createAddressOf } from "../../src/http/request.ts"
import { startTestServer } from "../support/server.ts"

const request = (forwardedFor?: string) =>
  new Request("http://localhost/", forwardedFor === undefined ? {} : { headers: { "x-forwarded-for": forwardedFor } })

test("without trusted proxies the peer is the caller, and headers are ignored", () => {
  const addressOf = createAddressOf([])

  expect(addressOf(request(), "203.0.113.7")).toBe("203.0.113.7")
  expect(addressOf(request("198.51.100.1"), "203.0.113.7")).toBe("203.0.113.7")
  expect(addressOf(request("198.51.100.1"), "127.0.0.1")).toBe("127.0.0.1")
})

const trusted = ["10.0.0.0/8", "192.0.2.1", "fd00::/8", "2001:db8::1"]
const cases: [peer: string, forwardedFor: string | undefined, caller: string][] = [
  ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["10.0.0.1", undefined, "10.0.0.1"],
  ["10.255.0.1", "6.6.6.6, 198.51.100.1", "198.51.100.1"],
  ["10.0.0.1", "198.51.100.1, 192.0.2.1, 10.9.9.9", "198.51.100.1"],
  ["10.0.0.1", "198.51.100.1,10.0.0.2", "198.51.100.1"],
  ["10.0.0.1", "6.6.6.6, 198.51.100.1, 192.0.2.1", "198.51.100.1"],
  ["11.0.0.1", "6.6.6.6", "11.0.0.1"],
  ["192.0.2.2", "6.6.6.6", "192.0.2.2"],
  ["10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ["fd00::5", "2001:db8::2", "2001:db8::2"],
  ["2001:db8::1", "6.6.6.6, 2001:db8::9, fd12::1", "2001:db8::9"],
  ["2001:db8::2", "6.6.6.6", "2001:db8::2"],
  ["::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["::ffff:11.0.0.1", "6.6.6.6", "11.0.0.1"],
  ["10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
  ["10.0.0.1", "[2001:db8::2]:4711, 10.0.0.9:80", "2001:db8::2"],
  ["10.0.0.1", "[2001:db8::2]", "2001:db8::2"],
  ["10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
]

for (const [peer, forwardedFor, caller] of cases)
  test(`a request of ${peer}, forwarded for ${forwardedFor ?? "nobody"}, comes from ${caller}`, () => {
    expect(createAddressOf(trusted)(request(forwardedFor), peer)).toBe(caller)
  })

test("a forwarded entry that is not an address ends the trust: the caller is the hop that sent it", () => {
  const addressOf = createAddressOf(trusted)

  for (const hop of ["unknown", "", "10.0.0", "10.0.0.1:x", "[6.6.6.6", "localhost", '6.6.6.6", "level": "error'])
    expect(addressOf(request(`6.6.6.6, ${hop}, 10.0.0.2`), "10.0.0.1")).toBe("10.0.0.2")
})

test("a header sent in several lines is read as one list", async () => {
  await using server = await startTestServer({ settings: { "server.trusted_proxies": "127.0.0.1,10.0.0.0/8" } })

  await server.exchange(
    "GET /user/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
      "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 198.51.100.1, 10.0.0.9\r\n\r\n",
  )

  expect(JSON.parse(server.logged().at(-1) ?? "")).toMatchObject({ path: "/user/", address: "198.51.100.1" })
})
