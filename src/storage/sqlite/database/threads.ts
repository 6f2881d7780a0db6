import { nextTick } from "../../../domain/ticks.ts"
import { threadUrl } from "../../../support/threads.ts"
import type { Compiled } from "../../sql.ts"
import {
  type Answer,
  type Call,
  type Checkpoint,
  createRunner,
  type Opening,
  type Request,
  type Row,
  type Value,
} from "./runner.ts"
import { bytesOf, type Encoded, type Message, type Reply } from "./thread-messages.ts"

/** A connection, in a thread or in this one. */
export interface Runs {
  /** Each request with the answer in its place. They run in the order of the calls. @throws when the thread has died */
  run(requests: readonly Request[]): Promise<readonly Answer[]>
  /** Writes the WAL back if more frames than this wait. */
  checkpoint(atLeast: number): void
  close(): Promise<void>
  /** Ends the connection without touching its files any more. */
  cutOff(): Promise<void>
  /** A call of this statement. */
  call(statement: Compiled, parameters: readonly Value[]): Call
}

interface Events {
  readonly onCheckpoint: (checkpoint: Checkpoint) => void
  /** The thread has ended by itself. */
  readonly onDeath: (error: Error) => void
}

export type OpenRuns = (opening: Opening, events: Events) => Promise<Runs>

/** The pauses between two attempts to get the lock double from the first of these to the second. */
const pausesMs = { first: 1, longest: 20 }

/**
 * A connection in this thread, for commands and tests, which wait for each statement anyway. Only waiting for another process
 * must not block the event loop: that process may be this one.
 */
export const openHere: OpenRuns = async ({ busyTimeoutMs, ...opening }, { onCheckpoint }) => {
  const runner = createRunner({ ...opening, busyTimeoutMs: 0 })
  const tell = (made: Checkpoint | null) => {
    if (made) onCheckpoint(made)
  }
  const checkpoint = (atLeast?: number) => tell(runner.checkpoint(atLeast))
  /** Requests run in their order, also while the first waits for the lock of another process. */
  let last: Promise<unknown> = Promise.resolve()
  return {
    call: numbering(),
    run(requests) {
      const answered = last.then(() => answersTo(requests))
      last = answered.catch(() => {})
      return answered
    },
    checkpoint,
    close: async () => tell(runner.close()),
    async cutOff() {
      runner.cutOff()
      runner.discard()
    },
  }

  async function answersTo(requests: readonly Request[]): Promise<Answer[]> {
    const answers: Answer[] = []
    await nextTick() // a loop over statements must not starve timers and signals
    for (const request of requests) answers.push(await answerOf(request))
    if (answers.some(({ hasWritten }) => hasWritten)) checkpoint()
    return answers
  }

  async function answerOf({ waitsMs = busyTimeoutMs, ...request }: Request): Promise<Answer> {
    const since = performance.now()
    for (let pause = pausesMs.first; ; pause = Math.min(2 * pause, pausesMs.longest)) {
      const answer = runner.run(request)
      const mayRetry = answer.failure?.step === "begin" || request.isAlone
      const isBusy = mayRetry && answer.failure?.code.startsWith("SQLITE_BUSY")
      if (!isBusy || performance.now() - since >= waitsMs) return answer
      await Bun.sleep(pause)
    }
  }
}

/** A connection in a thread of its own. */
export const openThread: OpenRuns = (opening, { onCheckpoint, onDeath }) => {
  const worker: Worker & Partial<Pick<Bun.Worker, "unref">> = new Worker(threadUrl("storage/sqlite/database/thread.ts"))
  const opened = Promise.withResolvers<Runs>()
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => {}) // nobody waits for the end of a thread that could not be opened
  const waiting: PromiseWithResolvers<readonly Answer[]>[] = []
  /** Statements whose text has crossed to the thread. It does so with the first call that is sent, and others may never be. */
  const crossed = new Set<number>()
  let dead: Error | undefined
  const post = (message: Message) => worker.postMessage(message)
  const died = (error: Error) => {
    dead ??= error
    opened.reject(error)
    ended.resolve()
    for (const { reject } of waiting.splice(0)) reject(error)
    onDeath(error)
  }
  worker.onerror = ({ message }) => died(new Error(`a thread of the database has ended: ${message}`))
  worker.onmessage = ({ data }: MessageEvent<string>) => {
    const reply: Reply = JSON.parse(data)
    if ("answers" in reply)
      waiting.shift()?.resolve(data.includes('{"base64":') ? reply.answers.map(decoded) : reply.answers)
    else if ("checkpoint" in reply) onCheckpoint(reply.checkpoint)
    else if ("opened" in reply) opened.resolve(runs)
    else if ("ended" in reply) ended.resolve()
    else {
      const error = Object.assign(new Error(reply.error.message), { code: reply.error.code })
      opened.reject(error)
      ended.reject(error)
    }
  }
  const runs: Runs = {
    call: numbering(),
    async run(requests) {
      if (dead) throw dead
      post({ run: requests.map(withNewTexts) })
      const answer = Promise.withResolvers<readonly Answer[]>()
      waiting.push(answer)
      for (const { calls } of requests) for (const { number } of calls) crossed.add(number)
      return answer.promise
    },
    checkpoint: (atLeast) => post({ checkpoint: atLeast }),
    close: () => end("close"),
    cutOff: () => end("cutOff"),
  }
  const withNewTexts = (request: Request): Request => ({
    ...request,
    calls: request.calls.map((call) => (crossed.has(call.number) ? withoutText(call) : call)),
  })
  const end = async (how: "close" | "cutOff") => {
    if (dead === undefined) {
      post({ end: how })
      dead = new Error("the database is closed")
      await ended.promise
    }
    // The end of its thread would close a connection that was cut off, and with the last one SQLite closes the numbers of all files.
    if (how === "close") worker.terminate()
    else worker.unref?.()
  }
  post({ open: opening })
  return opened.promise
}

function numbering(): Runs["call"] {
  const numbers = new Map<Compiled, number>()
  return (statement, parameters) => {
    const number = numbers.get(statement) ?? numbers.size
    numbers.set(statement, number)
    return { number, text: statement.text, parameters }
  }
}

function withoutText({ text: _, ...call }: Call): Call {
  return call
}

function decoded(answer: Answer): Answer {
  for (const result of answer.results) if (typeof result !== "number") for (const row of result) decodeBytes(row)
  return answer
}

function decodeBytes(row: Row) {
  for (const name in row) {
    const value = row[name] as Value | Encoded | undefined
    if (typeof value === "object" && value !== null && "base64" in value) row[name] = bytesOf(value)
  }
}
