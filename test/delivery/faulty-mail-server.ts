import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { createAuthority } from "../support/authority.ts"
import type { MailFault, Stage } from "./faults.ts"

export interface FaultyMailServer extends AsyncDisposable {
  readonly port: number
  /** The certificate of the authority that issued its valid certificate, in PEM. */
  readonly ca: string
  /** Whole messages received, in order, with or without confirmation. */
  readonly mails: readonly { readonly to: string; readonly text: string }[]
  /** When each connection was opened, in ms since the epoch. */
  readonly connectedMs: readonly number[]
}

/** A mail server over TLS with `fault` on its first `times` connections; later connections work. */
export async function startFaultyMailServer(fault: MailFault, times: number): Promise<FaultyMailServer> {
  const mails: { to: string; text: string }[] = []
  const connectedMs: number[] = []
  const sockets = new Set<Socket>()
  const [authority, stranger] = await Promise.all([createAuthority(), createAuthority()])
  const talk = (faulty: boolean) => (socket: Socket) => converse(socket, faulty ? fault : null, mails)
  const { at, misbehaviour } = fault
  const issuer =
    misbehaviour.kind === "certificate" && misbehaviour.of === "an unknown authority" ? stranger : authority
  const names =
    misbehaviour.kind === "certificate" && misbehaviour.of === "another host"
      ? ["elsewhere.example.com"]
      : ["127.0.0.1"]
  const [sound, faulty] = await Promise.all([
    listening(createTlsServer(await authority.issue(["127.0.0.1"]), talk(false))),
    listening(createTlsServer(await issuer.issue(names), talk(true))),
  ])

  const front = await listening(
    createServer((socket) => {
      const isFaulty = connectedMs.push(Date.now()) <= times
      sockets.add(socket.on("error", () => {}))
      if (isFaulty && at === "connect" && misbehaviour.kind === "drop") return socket.destroy()
      if (isFaulty && at === "connect" && misbehaviour.kind === "hang") return
      const behind = connect(portOf(isFaulty ? faulty : sound), "127.0.0.1").on("error", () => socket.destroy())
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
      for (const server of [front, sound, faulty]) server.close()
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

/** Holds one conversation. With a fault, it misbehaves at the stage of that fault. */
function converse(socket: Socket, fault: MailFault | null, mails: { to: string; text: string }[]) {
  const reply = replierOf(socket, fault)
  let waiting = ""
  let to = ""
  let isText = false

  const receive = (said: string) => {
    const command = said.slice(0, 4).toUpperCase()
    if (isText) {
      // A server that hangs or drops now already has the message.
      if (fault?.at !== "dot" || fault.misbehaviour.kind !== "say") mails.push({ to, text: said })
      reply("dot")
    } else if (isStage(command)) reply(command)
    else socket.end("221 2.0.0 bye\r\n")
    if (command === "RCPT") to = /<(.*)>/.exec(said)?.[1] ?? ""
    isText = !isText && command === "DATA" && fault?.at !== "DATA"
  }

  socket.setEncoding("utf8")
  socket.on("error", () => {})
  socket.on("data", (chunk) => {
    waiting += chunk
    for (let end = endOf(waiting, isText); end > 0; end = endOf(waiting, isText)) {
      const said = waiting.slice(0, end)
      waiting = waiting.slice(end)
      receive(said)
    }
  })
  reply("greeting")
}

function replierOf(socket: Socket, fault: MailFault | null) {
  return (stage: Reply) => {
    const misbehaviour = fault?.at === stage || fault?.misbehaviour.kind === "slow" ? fault.misbehaviour : null
    if (misbehaviour === null) socket.write(replies[stage])
    else if (misbehaviour.kind === "drop") socket.destroy()
    else if (misbehaviour.kind === "say") socket.write(Buffer.from(misbehaviour.text, "latin1"))
    else if (misbehaviour.kind === "slow") void speakSlowly(socket, replies[stage])
  }
}

const isStage = (command: string): command is Reply => command in replies

/** The length of the first command, or of the message text; 0 while it is incomplete. */
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
