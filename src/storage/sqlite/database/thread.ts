import {
  type Answer,
  type Checkpoint,
  createRunner,
  type Opening,
  type Request,
  type Row,
  type Runner,
} from "./runner.ts"
import { encoded, type Message, type Reply } from "./thread-messages.ts"

/* The code of a thread: a connection that does what messages ask. What it throws while it runs requests ends the thread. */

declare const self: Worker

let runner: Runner | undefined

self.onmessage = ({ data }: MessageEvent<Message>) => {
  if ("run" in data) {
    const answers = data.run.map(run)
    reply({ answers })
    if (answers.some(({ hasWritten }) => hasWritten)) checkpoint()
  } else if ("checkpoint" in data) checkpoint(data.checkpoint)
  else {
    try {
      reply("open" in data ? opened(data.open) : ended(data.end))
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : ""
      reply({ error: { code, message: error instanceof Error ? error.message : String(error) } })
    }
  }
}

function opened(opening: Opening): Reply {
  runner = createRunner(opening)
  return { opened: true }
}

function ended(how: "close" | "cutOff"): Reply {
  if (how === "close") tell(runner?.close())
  else runner?.cutOff()
  return { ended: true }
}

function run(request: Request): Answer {
  if (runner === undefined) throw new Error("the connection is not open")
  const answer = runner.run(request)
  for (const result of answer.results) if (typeof result !== "number") for (const row of result) encodeBytes(row)
  return answer
}

function encodeBytes(row: Row) {
  for (const name in row) {
    const value = row[name]
    if (typeof value === "object" && value !== null) (row as Record<string, unknown>)[name] = encoded(value)
  }
}

const checkpoint = (atLeast?: number) => tell(runner?.checkpoint(atLeast))

function tell(made: Checkpoint | null | undefined) {
  if (made) reply({ checkpoint: made })
}

const reply = (message: Reply) => self.postMessage(JSON.stringify(message))
