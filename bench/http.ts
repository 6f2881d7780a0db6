/** A raw keep-alive connection, so that the measured time is the server's and not that of an HTTP client. */
export interface HttpConnection {
  /** Sends and waits for the whole answer; one request at a time. */
  request(request: Request): Promise<Answer>
  close(): void
}

export interface Request {
  readonly method?: "GET" | "POST"
  /** With its query. */
  readonly path: string
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly body: string
  /** From the first byte sent to the last one received. */
  readonly us: number
}

/** @throws when nothing listens */
export async function connect(url: string): Promise<HttpConnection> {
  const { hostname, port, host } = new URL(url)
  let waiting: PromiseWithResolvers<Omit<Answer, "us">> | undefined
  let received: Buffer = Buffer.alloc(0)
  let isClosed = false

  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, bytes) {
        received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
        const answer = wholeAnswer(received)
        if (!answer) return
        received = Buffer.alloc(0)
        waiting?.resolve(answer)
      },
      close() {
        isClosed = true
        waiting?.reject(new Error(`the server closed the connection after: ${received}`))
      },
    },
  })
  socket.setNoDelay(true)

  return {
    async request(request) {
      if (isClosed) throw new Error("the server closed the connection")
      waiting = Promise.withResolvers()
      const started = Bun.nanoseconds()
      socket.write(textOf(request, host))
      const answer = await waiting.promise
      return { ...answer, us: (Bun.nanoseconds() - started) / 1000 }
    },
    close: () => void socket.end(),
  }
}

/** The bytes of a request, as text. */
export function textOf({ method = "GET", path, token, body }: Request, host: string): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`]
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`)
  if (body === undefined) return `${lines.join("\r\n")}\r\n\r\n`
  const text = JSON.stringify(body)
  lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`)
  return `${lines.join("\r\n")}\r\n\r\n${text}`
}

/** Null while bytes are missing. @throws when the head does not say where the body ends */
export function wholeAnswer(received: Buffer): Omit<Answer, "us"> | null {
  const end = received.indexOf("\r\n\r\n")
  if (end < 0) return null
  const head = received.toString("latin1", 0, end)
  const body = received.subarray(end + 4)
  const whole = /^transfer-encoding: chunked/im.test(head) ? fromChunks(body) : upTo(lengthIn(head), body)
  return whole && { status: Number(head.slice(9, 12)), body: whole.toString() }
}

function lengthIn(head: string): number {
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
  if (Number.isNaN(length)) throw new Error(`an answer with neither Content-Length nor chunks: ${head}`)
  return length
}

const upTo = (length: number, body: Buffer): Buffer | null => (body.length < length ? null : body.subarray(0, length))

/** Each chunk has its length before it, in hex on a line of its own; one without bytes is the last. */
function fromChunks(body: Buffer): Buffer | null {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf("\r\n", at)
    if (lineEnd < 0) return null
    const length = Number.parseInt(body.toString("latin1", at, lineEnd), 16)
    const start = lineEnd + 2
    at = start + length + 2
    if (body.length < at) return null
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(body.subarray(start, start + length))
  }
}
