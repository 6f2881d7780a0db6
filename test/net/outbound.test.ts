import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { createOutbound, type OutboundOptions, RefusedDestination } from "../../src/net/outbound.ts"
import { fullListenerAt } from "../support/full-listener.ts"
import { createReceiver, type Receiver } from "../support/receiver.ts"

const publicAddress = "93.184.216.34"
const names: Record<string, string[]> = {}
let asked: string[] = []

const client = (options: Partial<OutboundOptions> = {}) =>
  createOutbound({
    allowPrivate: [],
    ports: [],
    resolve: async (name) => {
      asked.push(name)
      return (names[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    },
    ...options,
  })

describe("an address that is not public is refused", () => {
  const literals = `127.0.0.1 127.1 0177.0.0.1 0x7f000001 2130706433 0 0.0.0.0 10.1.2.3 100.64.0.1 169.254.169.254
    172.16.0.1 172.31.255.255 192.168.1.1 192.0.0.1 198.18.0.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
    [::] [::1] [::ffff:127.0.0.1] [::ffff:93.184.216.34] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::5db8:d822]
    [2002:7f00:1::] [2001::1] [2001:db8::1] [fe80::1] [fc00::1] [fd12::1] [ff02::1] [100::1] [3fff::1] １２７.０.０.１`
  for (const literal of literals.split(/\s+/))
    test(literal, async () => {
      await expect(client().send({ method: "POST", url: `https://${literal}/`, body: "{}" })).rejects.toThrow(
        RefusedDestination,
      )
    })

  test("if it is one of several addresses of a name", async () => {
    names["both.test"] = [publicAddress, "10.0.0.1"]
    await expect(client().check("https://both.test/")).rejects.toThrow("both.test has the address 10.0.0.1")
  })

  test("unless its network is listed", async () => {
    names["inside.test"] = ["10.0.0.1"]
    expect(await client({ allowPrivate: ["10.0.0.0/8"] }).check("http://inside.test/")).toEqual(["10.0.0.1"])
    await expect(client({ allowPrivate: ["10.0.0.0/8"] }).check("https://[::ffff:10.0.0.1]/")).rejects.toThrow(
      "not public",
    )
    expect(await client({ allowPrivate: ["fd00::/8"] }).check("https://[fd12::1]/")).toEqual(["fd12::1"])
  })
})

test("a public address is accepted with https on the ports 443, 80 and those listed", async () => {
  names["hooks.test"] = [publicAddress, "2606:2800:220:1:248:1893:25c8:1946"]
  names["whole.test."] = names["hooks.test"]
  expect(await client().check("https://whole.test./x")).toEqual(names["hooks.test"])
  expect(await client().check("https://hooks.test:80/x")).toHaveLength(2)
  expect(await client({ ports: [8443] }).check("https://hooks.test:8443/x")).toHaveLength(2)
  await expect(client().check("https://hooks.test:8443/x")).rejects.toThrow("port 8443 is not allowed")
  await expect(client().check("https://hooks.test:0/x")).rejects.toThrow("port 0 is not allowed")
  await expect(client().check("http://hooks.test/x")).rejects.toThrow("needs https")
  await expect(client().check("https://user:secret@hooks.test/x")).rejects.toThrow("user name or password")
  await expect(client().check("ftp://hooks.test/x")).rejects.toThrow("not an https URL")
  await expect(client().check("https://nowhere.test/")).rejects.toThrow("nowhere.test has no address")
})

describe("an exchange", () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await createReceiver("hooks.example.test")
    names["hooks.example.test"] = ["127.0.0.1"]
  })
  afterAll(() => receiver.close())

  const local = (options: Partial<OutboundOptions> = {}) =>
    client({ allowPrivate: ["127.0.0.0/8"], ports: [receiver.port], ca: () => receiver.ca, ...options })
  const post = (options?: Partial<OutboundOptions>, url = receiver.url) =>
    local(options).send({ method: "POST", url, headers: { "content-type": "application/json" }, body: '{"a":"ä"}' })

  test("sends the server its name, not its address, and looks the name up once", async () => {
    asked = []
    expect(await post()).toMatchObject({ status: 200, body: "ok" })
    expect(asked).toEqual(["hooks.example.test"])
    const [request] = receiver.take()
    expect(request).toMatchObject({
      body: '{"a":"ä"}',
      headers: { host: `hooks.example.test:${receiver.port}`, "content-length": "10", "user-agent": "rewards" },
      servername: "hooks.example.test",
    })
  })

  test("connects to the checked address even if the name now resolves to another", async () => {
    let answers = 0
    const resolve = async () => [{ address: ++answers === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 }]
    const rebinding = local({ resolve })
    expect(await rebinding.send({ method: "GET", url: receiver.url })).toMatchObject({ status: 200 })
    expect(answers).toBe(1)
    await expect(rebinding.send({ method: "GET", url: receiver.url })).rejects.toThrow("169.254.169.254")
    expect(receiver.take()).toHaveLength(1)
  })

  test("ignores proxies set in the environment", async () => {
    process.env.HTTPS_PROXY = "http://127.0.0.1:1"
    try {
      expect(await post()).toMatchObject({ status: 200 })
      expect(receiver.take()).toHaveLength(1)
    } finally {
      delete process.env.HTTPS_PROXY
    }
  })

  test("tries the next address if nothing listens", async () => {
    names["two.test"] = ["127.0.0.2", "127.0.0.1"]
    const plain = await createReceiver(null)
    try {
      const url = `http://two.test:${plain.port}/`
      expect(await post({ ports: [plain.port] }, url)).toMatchObject({ status: 200 })
      expect(plain.take()).toHaveLength(1)
    } finally {
      await plain.close()
    }
  })

  test("tries the next address if one drops what arrives", async () => {
    using _ = await fullListenerAt("127.0.0.2", receiver.port)
    const resolve = async () => ["127.0.0.2", "127.0.0.1"].map((address) => ({ address, family: 4 }))
    expect(await post({ resolve, timeoutMs: 4000 })).toMatchObject({ status: 200 })
    expect(receiver.take()).toHaveLength(1)
  })

  test("refuses a certificate for another name or from an unknown authority", async () => {
    names["other.example.test"] = ["127.0.0.1"]
    const url = receiver.url.replace("hooks.", "other.")
    await expect(post({}, url)).rejects.toThrow("its certificate is for another name; use a name in it")
    const unknown = createOutbound({
      allowPrivate: ["127.0.0.0/8"],
      ports: [receiver.port],
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    })
    await expect(unknown.send({ method: "GET", url: receiver.url })).rejects.toThrow(
      "its certificate was issued by an authority that is not trusted; get one",
    )
  })

  test("fails with the problem and its cure if there is no receiver", async () => {
    names["closed.test"] = ["127.0.0.1"]
    await expect(post({ ports: [1] }, "http://closed.test:1/")).rejects.toThrow(
      "connection refused; check that the server runs, its address and its port",
    )
    const resolve = async () => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND", syscall: "getaddrinfo" })
    }
    await expect(post({ resolve }, "https://unknown.test/")).rejects.toThrow(
      "the name is unknown; check its spelling and the DNS settings of this machine",
    )
    await expect(post({}, receiver.url.replace("https:", "http:"))).rejects.toThrow()
    const plain = await createReceiver(null)
    try {
      await expect(post({ ports: [plain.port] }, `https://closed.test:${plain.port}/`)).rejects.toThrow(
        "it does not speak TLS at this port",
      )
    } finally {
      await plain.close()
    }
  })

  test("does not follow a redirect", async () => {
    receiver.answer({ status: 302, headers: { location: receiver.url } })
    expect(await post()).toMatchObject({ status: 302, headers: { location: receiver.url } })
    expect(receiver.take()).toHaveLength(1)
  })

  test("reads at most 4 KiB of an answer", async () => {
    receiver.answer({ endless: true })
    const { status, body } = await post()
    expect({ status, length: body.length }).toEqual({ status: 200, length: 4096 })
  })

  for (const fault of ["hang", "drip", "drip headers", "stall in the body"] as const)
    test(`ends in time if the receiver does ${fault}`, async () => {
      receiver.answer({ fault })
      await expect(post({ timeoutMs: 300 })).rejects.toThrow("no complete answer within 0.3 seconds")
    })

  test("ends in time if interim answers never stop", async () => {
    receiver.answer({ fault: "interim" })
    await expect(post()).rejects.toThrow("too many interim answers")
  })

  test("fails if the receiver resets the connection, or closes it in the middle of the body", async () => {
    receiver.answer({ fault: "reset" })
    await expect(post()).rejects.toThrow()
    receiver.answer({ fault: "cut off" })
    await expect(post()).rejects.toThrow()
  })

  test("ends when it is aborted", async () => {
    receiver.answer({ fault: "hang" })
    const controller = new AbortController()
    const sent = local().send({ method: "GET", url: receiver.url, signal: controller.signal })
    controller.abort()
    await expect(sent).rejects.toThrow()
  })
})

/** A plain TCP server on 127.0.0.1, so that it can answer in ways that no HTTP server would. */
async function listenRaw(onConnection: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on("error", () => {})
    onConnection(socket)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    port,
    connections: () => sockets.length,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

const rawClient = (port: number, timeoutMs = 5000) =>
  createOutbound({ allowPrivate: ["127.0.0.0/8"], ports: [port], timeoutMs })

/** Writes the same text for as long as somebody reads it. */
const endlessly = (socket: Socket, begin: string, text: string) => {
  socket.write(begin)
  const timer = setInterval(() => socket.write(text), 1)
  socket.on("close", () => clearInterval(timer))
}

describe("an exchange ends", () => {
  const switching = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"
  const ok = "HTTP/1.1 200 OK\r\n"
  const ways: Record<string, { act: (socket: Socket) => void; ends: number | string }> = {
    "with 101 when the receiver switches protocols": { act: (it) => it.write(switching), ends: 101 },
    "with 101 when it then closes": { act: (it) => it.end(switching), ends: 101 },
    "with 101 when it names no protocol": { act: (it) => it.write("HTTP/1.1 101 X\r\n\r\n"), ends: 101 },
    "when it closes without a word": { act: (it) => it.end(), ends: "the connection was closed" },
    "when it resets the connection": { act: (it) => it.resetAndDestroy(), ends: "the connection was closed" },
    "when it closes after an interim answer": {
      act: (it) => it.end("HTTP/1.1 102 Processing\r\n\r\n"),
      ends: "the connection was closed",
    },
    "when it closes in the middle of the headers": {
      act: (it) => it.end(`${ok}content-le`),
      ends: "the connection was closed",
    },
    "when it closes in the middle of the body": {
      act: (it) => it.end(`${ok}content-length: 100\r\n\r\nabc`),
      ends: "the connection was closed",
    },
    "when it closes in the middle of a chunk": {
      act: (it) => it.end(`${ok}transfer-encoding: chunked\r\n\r\n5\r\nab`),
      ends: "the connection was closed",
    },
    "with the body that the end of the connection ends": { act: (it) => it.end(`${ok}\r\nabc`), ends: 200 },
    "when it does not speak HTTP": { act: (it) => it.end("220 mail ready\r\n"), ends: "Parse Error" },
    "when a header never ends": { act: (it) => endlessly(it, `${ok}x: `, "a".repeat(8000)), ends: "overflow" },
    "when the headers never end": {
      act: (it) => endlessly(it, ok, `x: ${"a".repeat(8000)}\r\n`),
      ends: "overflow",
    },
    "when interim answers never end": {
      act: (it) => endlessly(it, "", "HTTP/1.1 103 Early Hints\r\n\r\n"),
      ends: "too many interim answers",
    },
  }
  for (const [way, { act, ends }] of Object.entries(ways))
    test(way, async () => {
      const receiver = await listenRaw((socket) => socket.once("data", () => act(socket)))
      try {
        const sent = rawClient(receiver.port).send({
          method: "POST",
          url: `http://127.0.0.1:${receiver.port}/`,
          body: "{}",
        })
        if (typeof ends === "number") expect(await sent).toMatchObject({ status: ends })
        else await expect(sent).rejects.toThrow(ends)
      } finally {
        await receiver.close()
      }
    })

  const silences: Record<string, (socket: Socket) => void> = {
    "no answer comes": () => {},
    "only interim answers come": (socket) => socket.write("HTTP/1.1 100 Continue\r\n\r\n"),
  }
  for (const [way, act] of Object.entries(silences))
    test(`in time when ${way}, with TLS and without`, async () => {
      const receiver = await listenRaw((socket) => socket.once("data", () => act(socket)))
      try {
        for (const scheme of ["http", "https"])
          await expect(
            rawClient(receiver.port, 300).send({ method: "GET", url: `${scheme}://127.0.0.1:${receiver.port}/` }),
          ).rejects.toThrow()
      } finally {
        await receiver.close()
      }
    })

  const handshakes: Record<string, (socket: Socket) => void> = {
    "closes during the handshake": (socket) => socket.once("data", () => socket.end()),
    "resets during the handshake": (socket) => socket.once("data", () => socket.resetAndDestroy()),
    "answers the handshake with anything else": (socket) => socket.once("data", () => socket.end("hello")),
    "closes before the handshake": (socket) => socket.end(),
  }
  for (const [way, act] of Object.entries(handshakes))
    test(`when a receiver with TLS ${way}`, async () => {
      const receiver = await listenRaw(act)
      try {
        const sent = rawClient(receiver.port).send({ method: "GET", url: `https://127.0.0.1:${receiver.port}/` })
        await expect(sent).rejects.toThrow()
      } finally {
        await receiver.close()
      }
    })
})

test("a request that meets the end of an idle connection is sent again on a new one", async () => {
  const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
  const receiver = await listenRaw((socket) => socket.once("data", () => socket.end(answer)))
  try {
    const sending = rawClient(receiver.port)
    for (let count = 1; count <= 10; count++) {
      const url = `http://127.0.0.1:${receiver.port}/`
      expect(await sending.send({ method: "POST", url, body: "{}" })).toMatchObject({ status: 200, body: "ok" })
      expect(receiver.connections()).toBe(count)
    }
  } finally {
    await receiver.close()
  }
})

test("a new connection that is closed without a word is a failure at once", async () => {
  const receiver = await listenRaw((socket) => socket.end())
  try {
    const sent = rawClient(receiver.port).send({ method: "GET", url: `http://127.0.0.1:${receiver.port}/` })
    await expect(sent).rejects.toThrow("the connection was closed")
    expect(receiver.connections()).toBe(1)
  } finally {
    await receiver.close()
  }
})
