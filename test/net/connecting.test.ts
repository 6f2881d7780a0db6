import { afterAll, beforeAll, expect, test } from "bun:test"
import { atFirstReachable, createFetch } from "../../src/net/connecting.ts"
import { createReceiver, type Receiver } from "../support/receiver.ts"

let receiver: Receiver
beforeAll(async () => {
  receiver = await createReceiver("id.example.test")
})
afterAll(() => receiver.close())

/** A machine that finds these addresses for every name. */
const fetchAt = (...addresses: string[]) =>
  createFetch(async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))

const trusting = () => ({ tls: { ca: receiver.ca } })

test("a request to an address has the name in TLS, and its other headers", async () => {
  const headers = { authorization: "Bearer 1" }
  const answer = await fetchAt("127.0.0.1")(`${receiver.url}?a=1`, {
    ...trusting(),
    method: "POST",
    body: "a",
    headers,
  })
  expect(await answer.text()).toBe("ok")
  const [request] = receiver.take()
  expect(request).toMatchObject({
    path: "/hook?a=1",
    body: "a",
    servername: "id.example.test",
    headers: { ...headers, host: `id.example.test:${receiver.port}` },
  })
})

test("the certificate must be for the name, also after a connection for another name", async () => {
  await fetchAt("127.0.0.1")(receiver.url, trusting())
  const other = receiver.url.replace("id.", "evil.")
  await expect(fetchAt("127.0.0.1")(other, trusting())).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" })
  expect(receiver.take()).toHaveLength(1)
})

test("the next address is tried only if nothing listens", async () => {
  expect((await fetchAt("127.0.0.2", "::1", "127.0.0.1")(receiver.url, trusting())).status).toBe(200)
  expect(receiver.take()).toHaveLength(1)
  const tried: string[] = []
  const lost = atFirstReachable(["192.0.2.1", "192.0.2.2"], async (address) => {
    tried.push(address)
    throw Object.assign(new Error("lost"), { code: "ECONNRESET" })
  })
  await expect(lost).rejects.toThrow("lost")
  expect(tried).toEqual(["192.0.2.1"])
})

test("an address is not looked up, and a redirect is not followed", async () => {
  const plain = await createReceiver(null)
  const asks = createFetch(() => Promise.reject(new Error("looked up")))
  plain.answer({ status: 302, headers: { location: receiver.url } })
  expect((await asks(plain.url)).status).toBe(302)
  plain.answer({ status: 302, headers: { location: receiver.url } })
  expect((await fetchAt("127.0.0.1")(plain.url.replace("127.0.0.1", "id.example.test"))).status).toBe(302)
  expect(receiver.take()).toEqual([])
  await plain.close()
})
