/** What a name server says of a name: addresses, nothing at all, or that something is wrong (a code of RFC 1035, 4.1.1). */
type Answer = readonly string[] | "silent" | { readonly code: number }

export type NameServer = Awaited<ReturnType<typeof startNameServer>>

/** A name server on 127.0.0.1. It knows no other names than these. */
export async function startNameServer(names: Readonly<Record<string, Answer>> = {}) {
  /** The names that were asked for, each with its type. */
  const asked: string[] = []
  const socket = await Bun.udpSocket({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, question, port, address) {
        const { name, type, end } = questionIn(question)
        asked.push(`${name} ${type}`)
        const answer = names[`${name} ${type}`] ?? names[name] ?? { code: 3 }
        if (answer !== "silent") socket.send(answerTo(question.subarray(0, end), type, answer), port, address)
      },
    },
  })
  return {
    address: `127.0.0.1:${socket.port}`,
    asked,
    /** The questions since the last call. */
    take: () => asked.splice(0),
    [Symbol.dispose]: () => socket.close(),
  }
}

const [typeA, typeAaaa] = [1, 28]

function questionIn(message: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = message.readUInt16BE(at + 1)
  return {
    name: labels.join(".").toLowerCase(),
    type: type === typeA ? "A" : type === typeAaaa ? "AAAA" : `${type}`,
    end: at + 5,
  }
}

function answerTo(question: Buffer, type: string, answer: readonly string[] | { readonly code: number }): Buffer {
  const code = "code" in answer ? answer.code : 0
  const records = "code" in answer ? [] : answer.map(bytesOf).filter(({ length }) => length === (type === "A" ? 4 : 16))
  const header = Buffer.from(question)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8) // no other sections, also no EDNS
  return Buffer.concat([header, ...records.map((bytes) => recordOf(bytes))])
}

function recordOf(bytes: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0) // the name of the question
  head.writeUInt16BE(bytes.length === 4 ? typeA : typeAaaa, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

/** Of an IPv4 address, or of an IPv6 address with all its groups. */
const bytesOf = (address: string): Buffer =>
  address.includes(":")
    ? Buffer.from(
        address
          .split(":")
          .map((group) => group.padStart(4, "0"))
          .join(""),
        "hex",
      )
    : Buffer.from(address.split(".").map(Number))
