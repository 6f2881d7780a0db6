import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { type Authority, createAuthority } from "./authority.ts"

export interface ReceivedMail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  /** By lower-case name, unfolded and decoded. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, or its text part, decoded. */
  readonly text: string
  /** The HTML part, decoded; null without one. */
  readonly html: string | null
  /** The types of all parts, in their order. */
  readonly types: readonly string[]
  /** The message as it was received. */
  readonly raw: string
  /** The user that logged in; null without a log-in. */
  readonly login: string | null
  readonly secure: boolean
}

type Stage = "CONNECT" | "MAIL" | "RCPT" | "DATA"

/** A refusal, no reply at all (`hang`), or a closed connection (`drop`). */
export type Reply = { readonly code: number; readonly text: string } | "hang" | "drop"

export interface SmtpServerOptions {
  /** True: starts unencrypted and offers STARTTLS. Absent or false: TLS from the start. */
  readonly starttls?: boolean
  /** False, together with `starttls`: STARTTLS is not offered. */
  readonly offersStarttls?: boolean
  /** The names in its certificate; absent: its address. */
  readonly names?: readonly string[]
  /** Absent: no log-in is required. */
  readonly login?: { readonly user: string; readonly password: string }
  readonly authority?: Authority
}

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** The authority's certificate in PEM: the content of the file that `email.smtp_ca` names. */
  readonly ca: string
  /** The accepted messages, in order. */
  readonly mails: readonly ReceivedMail[]
  /** Resolves when `count` messages have been accepted in all. */
  received(count: number): Promise<readonly ReceivedMail[]>
  /**
   * Sets the reply to the next command of this kind; several are used in turn. `given` resolves when the reply was
   * used.
   */
  next(stage: Stage, reply: Reply): { readonly given: Promise<void> }
  stop(): Promise<void>
}

/** A real SMTP server over TLS on 127.0.0.1, in this process. */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const { starttls = false, offersStarttls = true, names = ["127.0.0.1"], login } = options
  const authority = options.authority ?? (await createAuthority())
  const mails: ReceivedMail[] = []
  const replies: { stage: Stage; reply: Reply; give: () => void }[] = []
  let waiting: { count: number; resolve: () => void }[] = []

  const answer = (stage: Stage, session: SMTPServerSession, accept: (refusal?: Error) => void) => {
    const planned = replies.find((reply) => reply.stage === stage)
    if (!planned) return accept()
    replies.splice(replies.indexOf(planned), 1)
    const { reply, give } = planned
    if (reply === "drop") connectionOf(server, session)?.close()
    else if (reply !== "hang") accept(Object.assign(new Error(reply.text), { responseCode: reply.code }))
    give()
  }

  const keep = (mail: ReceivedMail) => {
    mails.push(mail)
    for (const { resolve } of waiting.filter(({ count }) => mails.length >= count)) resolve()
    waiting = waiting.filter(({ count }) => mails.length < count)
  }

  const server = new SMTPServer({
    ...(await authority.issue(names)),
    secure: !starttls,
    authOptional: login === undefined,
    disabledCommands: [...(login ? [] : ["AUTH"]), ...(offersStarttls ? [] : ["STARTTLS"])],
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const knows = username === login?.user && password === login?.password
      done(knows ? null : new Error("Invalid username or password"), knows ? { user: username } : undefined)
    },
    onConnect: (session, done) => answer("CONNECT", session, done),
    onMailFrom: (_address, session, done) => answer("MAIL", session, done),
    onRcptTo: (_address, session, done) => answer("RCPT", session, done),
    onData(stream, session, done) {
      void textOf(stream).then((raw) =>
        answer("DATA", session, (refusal) => {
          if (!refusal) keep(parsed(raw, session))
          done(refusal)
        }),
      )
    },
  })
  // Some tests close the connection early on purpose.
  server.on("error", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

  return {
    host: "127.0.0.1",
    port: (server.server.address() as AddressInfo).port,
    ca: authority.pem,
    mails,
    async received(count) {
      if (mails.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }))
      return mails
    },
    next(stage, reply) {
      const { promise, resolve } = Promise.withResolvers<void>()
      replies.push({ stage, reply, give: resolve })
      return { given: promise }
    },
    stop() {
      for (const connection of server.connections) connection.close()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

const connectionOf = (server: SMTPServer, session: SMTPServerSession) =>
  [...server.connections].find((connection) => connection.session.id === session.id)

async function textOf(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function parsed(raw: string, { envelope, user, secure }: SMTPServerSession): ReceivedMail {
  const [{ headers, text } = { headers: {}, text: "" }, ...parts] = partsIn(raw)
  const all = [{ headers, text }, ...parts]
  const ofType = (type: string) => all.find((part) => part.headers["content-type"]?.startsWith(type))?.text
  return {
    envelope: {
      from: envelope.mailFrom ? envelope.mailFrom.address : "",
      to: envelope.rcptTo.map(({ address }) => address),
    },
    headers,
    text: ofType("text/plain") ?? text,
    html: ofType("text/html") ?? null,
    types: all.map((part) => part.headers["content-type"]?.split(";")[0] ?? ""),
    raw,
    login: typeof user === "string" ? user : null,
    secure,
  }
}

interface Part {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The message and, one after the other, the parts inside it. */
function partsIn(raw: string): Part[] {
  const [head = "", body = ""] = raw.split(/\r\n\r\n(.*)/s)
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n")
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = "", value = ""] = line.split(/:\s*(.*)/s)
      return [name.toLowerCase(), decodeWords(value)]
    }),
  )
  const text = decodeBody(body, headers["content-transfer-encoding"] ?? "7bit").replaceAll("\r\n", "\n")
  const boundary = /^multipart\/.*boundary="?([^";]+)/.exec(headers["content-type"] ?? "")?.[1]
  const inner = boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1)
  return [{ headers, text }, ...inner.flatMap((part) => partsIn(part.replace(/^\r\n|\r\n$/g, "")))]
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString()
  return encoding === "quoted-printable" ? decodeQuoted(body.replace(/=\r\n/g, "")) : body
}

const decodeWords = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([BQ])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === "B" ? Buffer.from(word, "base64").toString() : decodeQuoted(word.replaceAll("_", " ")),
    )

const decodeQuoted = (text: string): string =>
  text.replace(/(=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll("=", ""), "hex").toString())
