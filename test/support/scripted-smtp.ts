import { type AddressInfo, createServer, type Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { createAuthority } from "./authority.ts"

/** The steps of a conversation. At `dot` the server has the whole message. */
export type Step = "CONNECT" | "EHLO" | "HELO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "dot"

export interface ScriptedOptions {
  /** `plain` and `starttls` begin without encryption; `starttls` offers it. */
  readonly tls?: "implicit" | "starttls" | "plain"
  /** What it says it can do besides. */
  readonly offers?: readonly string[]
}

export type ScriptedSmtp = Awaited<ReturnType<typeof startScriptedSmtp>>

/** An SMTP server on 127.0.0.1 that says at every step what a test wants, and otherwise takes everything. */
export async function startScriptedSmtp({
  tls = "implicit",
  offers = ["AUTH PLAIN LOGIN XOAUTH2"],
}: ScriptedOptions = {}) {
  const authority = await createAuthority()
  const credentials = await authority.issue(["127.0.0.1"])
  const answers = new Map<Step, string[]>()
  const always = new Map<Step, string>()
  const messages: string[] = []
  const seen: string[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  let pauseMs = 0

  const answer = (step: Step, usual: string) => answers.get(step)?.shift() ?? always.get(step) ?? usual

  const secured = (socket: Socket) => new TLSSocket(socket, { isServer: true, ...credentials })

  function converse(socket: Socket, isSecure: boolean, greets = true) {
    let rest = ""
    let message: string | null = null
    let challenged = false
    const say = (text: string) => socket.write(`${text.split("\n").join("\r\n")}\r\n`)
    const stepOf = (line: string): void => {
      if (message !== null) {
        if (line !== ".") {
          message += `${line}\n`
          return
        }
        const said = answer("dot", "250 2.0.0 taken")
        seen.push(message)
        if (said.startsWith("2")) messages.push(message)
        message = null
        return void setTimeout(() => say(said), pauseMs)
      }
      commands.push(line)
      const [verb = ""] = line.toUpperCase().split(" ")
      if (challenged) {
        challenged = false
        return void say(answer("AUTH", "235 2.7.0 welcome"))
      }
      if (verb === "EHLO") {
        const all = [...offers, ...(tls === "starttls" && !isSecure ? ["STARTTLS"] : [])]
        const lines = ["mail.example", ...all].map((text, place) => `250${place < all.length ? "-" : " "}${text}`)
        return void say(answer("EHLO", lines.join("\n")))
      }
      if (verb === "HELO") return void say(answer("HELO", "250 mail.example"))
      if (verb === "STARTTLS") {
        const said = answer("STARTTLS", tls === "starttls" ? "220 2.0.0 go ahead" : "502 5.5.1 not here")
        say(said)
        if (!said.startsWith("220")) return
        socket.removeAllListeners("data")
        converse(secured(socket), true, false)
        return
      }
      if (verb === "AUTH") {
        if (line.split(" ").length > 2) return void say(answer("AUTH", "235 2.7.0 welcome"))
        challenged = true
        return void say("334 ")
      }
      if (verb === "MAIL") return void say(answer("MAIL", "250 2.1.0 ok"))
      if (verb === "RCPT") return void say(answer("RCPT", "250 2.1.5 ok"))
      if (verb === "DATA") {
        const said = answer("DATA", "354 go on")
        if (said.startsWith("354")) message = ""
        return void say(said)
      }
      say(verb === "QUIT" ? "221 2.0.0 bye" : "250 2.0.0 ok")
    }
    socket.on("error", () => {}) // some tests end the connection early
    socket.on("data", (bytes: Buffer) => {
      rest += bytes.toString()
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        stepOf(line)
      }
    })
    if (greets) say(answer("CONNECT", "220 mail.example ESMTP"))
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => {})
    converse(tls === "implicit" ? secured(socket) : socket, tls === "implicit")
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    port,
    settings: {
      host: "127.0.0.1",
      port,
      ca: () => authority.pem,
      tls: tls === "plain" ? "off" : tls,
      timeoutMs: 5_000,
    } as const,
    pem: authority.pem,
    /** The messages that it took, all that it was sent, and the commands of all conversations. */
    messages,
    seen,
    commands,
    /** What it says the next time at a step. */
    say: (step: Step, text: string) => answers.set(step, [...(answers.get(step) ?? []), text]),
    /** How long it looks at each message before it answers. */
    pause(ms: number) {
      pauseMs = ms
    },
    /** What it says at a step from now on; null: what it says usually. */
    sayAlways: (step: Step, text: string | null) => (text === null ? always.delete(step) : always.set(step, text)),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
