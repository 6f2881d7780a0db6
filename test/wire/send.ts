import { connect, type Socket } from "node:net"
import type { Case } from "./case.ts"
import { ping } from "./frames.ts"

const patienceMs = 60_000
/** How long an incomplete request is left waiting. */
const waitingMs = 15

export interface CaseResult {
  /** The statuses of all answers on the connection. */
  readonly statuses: readonly number[]
  /** What went wrong. */
  readonly faults: readonly string[]
}

/** Sends one case over a new connection, which must be answered or closed in time, and not with a failure. */
export async function sendCase(
  url: string,
  { pieces, isWhole, frames, areFramesWhole = false }: Case,
): Promise<CaseResult> {
  const line = await open(url)
  const faults: string[] = []
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await Bun.sleep(0)
    line.socket.write(piece)
  }
  if (isWhole && !(await line.until((text) => text.includes("HTTP/1.1 "), patienceMs)))
    faults.push(`no answer within ${patienceMs} ms`)
  for (const frame of frames ? [...frames, ping] : []) line.socket.write(frame)
  if (areFramesWhole && !(await line.until((text) => text.includes(pong), patienceMs)))
    faults.push(`neither pong nor end within ${patienceMs} ms`)

  const mayWait = !isWhole || (frames && !areFramesWhole)
  if (mayWait && !(await line.until(() => false, waitingMs))) {
    line.socket.end()
    if (!(await line.until(() => false, patienceMs)))
      faults.push(`not closed within ${patienceMs} ms of the sender's end`)
  }
  line.socket.resetAndDestroy()

  const statuses = [...line.received().matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
  return { statuses, faults: [...faults, ...statuses.filter(isFailure).map((status) => `answered ${status}`)] }
}

const pong = "\x8a\0"

/** 503 refuses a request above a limit, 505 another version of HTTP. */
const isFailure = (status: number): boolean => status >= 500 && status !== 503 && status !== 505

async function open(url: string) {
  const { hostname, port } = new URL(url)
  let text = ""
  let isClosed = false
  let changed = () => {}
  const socket: Socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.setEncoding("latin1")
  socket.on("data", (chunk) => {
    text += chunk
    changed()
  })
  const close = () => {
    isClosed = true
    changed()
  }
  socket.on("end", close)
  socket.on("close", close)
  socket.on("error", close)
  await new Promise<void>((resolve, reject) => {
    socket.on("connect", resolve)
    socket.once("error", reject)
  })

  return {
    socket,
    received: () => text,
    /** Whether the connection ended, or the received text passed the test, in time. */
    async until(passes: (text: string) => boolean, ms: number): Promise<boolean> {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      let isLate = false
      void late.then(() => {
        isLate = true
      })
      while (!isClosed && !isLate && !passes(text)) {
        const next = Promise.withResolvers<void>()
        changed = next.resolve
        await Promise.race([late, next.promise])
      }
      clearTimeout(timer)
      return isClosed || passes(text)
    },
  }
}
