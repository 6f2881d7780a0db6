import { bytesOf, type Encoded, encoded, type Message, type Reply } from "./messages.ts"
import { type Answer, type Checkpoint, createRunner, type Request, type Row, type Runner } from "./runner.ts"

/* The code of a thread: a connection that does what messages ask. */

declare const self: Worker

let runner: Runner | undefined

self.onmessage = ({ data }: MessageEvent<string>) => {
  try {
    act(JSON.parse(data))
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    reply({ error: { code, message: error instanceof Error ? error.message : String(error) } })
  }
}

function act(message: Message) {
  if ("end" in message) {
    if (message.end === "close") tell(runner?.close())
    else runner?.cutOff()
    reply({ ended: true })
  } else if ("open" in message) {
    runner = createRunner(message.open)
    reply({ opened: true })
  } else if ("run" in message) {
    const answers = message.run.map(run)
    reply({ answers })
    if (answers.some(({ hasWritten }) => hasWritten)) checkpoint()
  } else checkpoint(message.checkpoint)
}

function run(request: Request): Answer {
  if (runner === undefined) throw new Error("the connection is not open")
  for (const { parameters } of request.calls)
    for (const [index, value] of parameters.entries())
      if (typeof value === "object" && value !== null)
        (parameters as unknown[])[index] = bytesOf(value as unknown as Encoded)
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
