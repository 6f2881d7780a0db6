import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { createAuthority } from "../support/authority.ts"
import type { Stage, Trouble } from "./troubles.ts"

export interface HostileServer extends AsyncDisposable {
  readonly port: number
  /** Of the authority that its right certificate is from, in PEM. */
  readonly ca: string
  /** Whole messages that it was handed, in order, taken or not told so. */
  readonly mails: readonly { readonly to: string; readonly text: string }[]
  /** When somebody connected, in ms since the epoch. */
  readonly connectedMs: readonly number[]
}

/** A mail server over TLS that makes `trouble` for the first `times` connections, and none for those after them. */
export async function startHostileServer(trouble: Trouble, times: number): Promise<HostileServer> {
  const mails: { to: string; text: string }[] = []
  const connectedMs: number[] = []
  const sockets = new Set<Socket>()
  const [authority, stranger] = await Promise.all([createAuthority(), createAuthority()])
  const talk = (troubled: boolean) => (socket: Socket) => converse(socket, troubled ? trouble : null, mails)
  const { at, deed } = trouble
  const issuer = deed.kind === "certificate" && deed.of === "an unknown authority" ? stranger : authority
  const names = deed.kind === "certificate" && deed.of === "another host" ? ["elsewhere.example.com"] : ["127.0.0.1"]
  const [sound, troubled] = await Promise.all([
    listening(createTlsServer(await authority.issue(["127.0.0.1"]), talk(false))),
    listening(createTlsServer(await issuer.issue(names), talk(true))),
  ])

  const front = await listening(
    createServer((socket) => {
      const isTroubled = connectedMs.push(Date.now()) <= times
      sockets.add(socket.on("error", () => {}))
      if (isTroubled && at === "connect" && deed.kind === "drop") return socket.destroy()
      if (isTroubled && at === "connect" && deed.kind === "hang") return
      const behind = connect(portOf(isTroubled ? troubled : sound), "127.0.0.1").on("error", () => socket.destroy())
      socket.pipe(behind).pipe(socket)
      socket.on("close", () => behind.destroy())
    }),
  )
  return {
    port: portOf(front),
    ca: authority.pem,
    mails,
    connectedMs,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      for (const server of [front, sound, troubled]) server.close()
    },
  }
}

type Reply = Exclude<Stage, "connect">

const replies: Record<Reply, string> = {
  greeting: "220 mail.example.com ESMTP\r\n",
  EHLO: "250 mail.example.com\r\n",
  MAIL: "250 2.1.0 fine\r\n",
  RCPT: "250 2.1.5 fine\r\n",
  DATA: "354 go on\r\n",
  dot: "250 2.0.0 taken\r\n",
}

/** One conversation, in which a troubled server does its deed when that stage comes. */
function converse(socket: Socket, trouble: Trouble | null, mails: { to: string; text: string }[]) {
  const reply = replierOf(socket, trouble)
  let waiting = ""
  let to = ""
  let isText = false

  const hear = (said: string) => {
    const command = said.slice(0, 4).toUpperCase()
    if (isText) {
      // Whoever hangs or drops now has the message already.
      if (trouble?.at !== "dot" || trouble.deed.kind !== "say") mails.push({ to, text: said })
      reply("dot")
    } else if (isStage(command)) reply(command)
    else socket.end("221 2.0.0 bye\r\n")
    if (command === "RCPT") to = /<(.*)>/.exec(said)?.[1] ?? ""
    isText = !isText && command === "DATA" && trouble?.at !== "DATA"
  }

  socket.setEncoding("utf8")
  socket.on("error", () => {})
  socket.on("data", (chunk) => {
    waiting += chunk
    for (let end = endOf(waiting, isText); end > 0; end = endOf(waiting, isText)) {
      const said = waiting.slice(0, end)
      waiting = waiting.slice(end)
      hear(said)
    }
  })
  reply("greeting")
}

function replierOf(socket: Socket, trouble: Trouble | null) {
  return (stage: Reply) => {
    const deed = trouble?.at === stage || trouble?.deed.kind === "slow" ? trouble.deed : null
    if (deed === null) socket.write(replies[stage])
    else if (deed.kind === "drop") socket.destroy()
    else if (deed.kind === "say") socket.write(Buffer.from(deed.text, "latin1"))
    else if (deed.kind === "slow") void speakSlowly(socket, replies[stage])
  }
}

const isStage = (command: string): command is Reply => command in replies

/** Behind the first command, or behind the text of a message; 0 while it is not whole. */
const endOf = (text: string, isText: boolean): number => {
  const mark = isText ? "\r\n.\r\n" : "\r\n"
  const at = text.indexOf(mark)
  return at < 0 ? 0 : at + mark.length
}

async function speakSlowly(socket: Socket, text: string) {
  for (const character of text) {
    if (socket.destroyed) return
    socket.write(character)
    await Bun.sleep(1000)
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function listening<T extends Server>(server: T): Promise<T> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return server
}
