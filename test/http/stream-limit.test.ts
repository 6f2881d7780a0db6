import { expect, test } from "bun:test"
import { watch } from "../stream/watching.ts"
import { handshake } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { startTestServer } from "../support/server.ts"

const settings = { "limits.streams": "3", "server.trusted_proxies": "127.0.0.1" }
const from = (address: string) => ({ "x-forwarded-for": address })
const opened = { status: 101, body: "" }
const refused = {
  status: 503,
  headers: { "retry-after": "5" },
  body: { detail: "Too many open streams from your address; try again when some are closed" },
}

test("both kinds of streams from one other machine count toward one limit; those of other machines do not", async () => {
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const [contract, feed] = [`${server.url}/transaction/ws`, `${server.url}/api/v1/stream`]
  const asAna = (address: string) => ({ ...bearer(ana.accessToken), ...from(address) })
  const streams = [
    watch(contract.replace("http", "ws"), from("2001:db8::1")),
    watch(contract.replace("http", "ws"), from("2001:db8::2")),
    watch(feed.replace("http", "ws"), asAna("2001:db8::3")),
  ]
  await Promise.all(streams.map(({ opened }) => opened))

  expect(await handshake(contract, from("2001:db8::4"))).toEqual(refused)
  expect(await handshake(feed, asAna("2001:db8::1"))).toEqual(refused)
  expect(await handshake(contract, from("2001:db8:0:1::1"))).toEqual(opened)
  expect(await handshake(feed, asAna("198.51.100.1"))).toEqual(opened)

  streams[0]?.close()
  await streams[0]?.closed
  while (server.app.transactionHub.read().clients > 1) await Bun.sleep(1)
  expect(await handshake(feed, asAna("2001:db8::1"))).toEqual(opened)
})

test("of many simultaneous streams, only as many as the limit are opened", async () => {
  await using server = await startTestServer({ settings })
  const asked = Array.from({ length: 20 }, () => {
    const stream = watch(`${server.url.replace("http", "ws")}/transaction/ws`, from("198.51.100.1"))
    return stream.opened.then(
      () => "opened",
      () => "refused",
    )
  })

  expect((await Promise.all(asked)).filter((outcome) => outcome === "opened")).toHaveLength(3)
})

test("streams from this machine are not limited", async () => {
  await using server = await startTestServer({ settings })
  const streams = Array.from({ length: 5 }, () => watch(`${server.url.replace("http", "ws")}/transaction/ws`))

  await Promise.all(streams.map(({ opened }) => opened))
})
