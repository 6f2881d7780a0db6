import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { atFirstReachable, createFetch } from "../../src/net/connecting.ts"
import { proxyFor } from "../../src/net/proxies.ts"
import { fullListenerAt } from "../support/full-listener.ts"
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

test("an address that drops what arrives does not keep the request from the next", async () => {
  using _ = await fullListenerAt("127.0.0.2", receiver.port)
  const signal = AbortSignal.timeout(4000)
  expect((await fetchAt("127.0.0.2", "127.0.0.1")(receiver.url, { ...trusting(), signal })).status).toBe(200)
  expect(receiver.take()).toHaveLength(1)
})

test("a name that ends with a dot is looked up as it is, and the certificate is for it without the dot", async () => {
  const looked: string[] = []
  const asking = createFetch(async (name) => {
    looked.push(name)
    return [{ address: "127.0.0.1", family: 4 }]
  })
  await asking(receiver.url.replace("id.example.test", "id.example.test."), trusting())
  expect(looked).toEqual(["id.example.test."])
  expect(receiver.take()).toMatchObject([{ servername: "id.example.test" }])
})

describe("with a proxy in the environment", () => {
  const names = ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"]
  const before = names.map((name) => [name, process.env[name]] as const)
  afterEach(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })

  test("the proxy gets the name, and a host of NO_PROXY is reached without it", async () => {
    const proxy = await createReceiver(null)
    const direct = await createReceiver(null)
    for (const name of names) delete process.env[name]
    process.env.HTTP_PROXY = proxy.url
    process.env.NO_PROXY = "inside.test"
    const at = (name: string) => `http://${name}:${direct.port}/`

    await fetchAt("127.0.0.1")(at("outside.test"))
    await fetchAt("127.0.0.1")(at("id.inside.test"))

    expect(proxy.take()).toMatchObject([{ path: at("outside.test") }])
    expect(direct.take()).toMatchObject([{ headers: { host: `id.inside.test:${direct.port}` } }])
    await Promise.all([proxy.close(), direct.close()])
  })

  test.each([
    ["https://a.test/", { HTTPS_PROXY: "http://p:1" }, "http://p:1"],
    ["https://a.test/", { HTTPS_PROXY: "http://p:1", https_proxy: "http://q:1" }, "http://q:1"],
    ["https://a.test/", { HTTP_PROXY: "http://p:1" }, null],
    ["https://a.test/", { HTTPS_PROXY: "" }, null],
    ["https://a.test/", { HTTPS_PROXY: "http://p:1", NO_PROXY: "*" }, null],
    ["https://a.test/", { HTTPS_PROXY: "http://p:1", NO_PROXY: "b.test, .A.test" }, null],
    ["https://ba.test/", { HTTPS_PROXY: "http://p:1", NO_PROXY: "a.test," }, "http://p:1"],
    ["https://a.test:8443/", { HTTPS_PROXY: "http://p:1", no_proxy: "a.test:8443" }, null],
    ["https://a.test:8443/", { HTTPS_PROXY: "http://p:1", no_proxy: "a.test:443" }, "http://p:1"],
  ])("%s goes with %o to %s", (url, environment, proxy) => {
    expect(proxyFor(new URL(url), environment)).toBe(proxy)
  })
})
