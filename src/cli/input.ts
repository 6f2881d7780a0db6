import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { Refusal } from "./failures.ts"
import type { Surroundings } from "./surroundings.ts"

/** Of a line that is read without a terminal, in bytes. */
const maxLine = 65_536

/** Asks somebody at a terminal. */
export async function ask({ stdin, tell }: Surroundings, question: string): Promise<string> {
  tell(question)
  const terminal = createInterface({ input: stdin })
  try {
    return await lineOf(terminal)
  } finally {
    terminal.close()
  }
}

/** The first line of standard input, without its end; at a terminal it is asked for and not shown. */
export async function readPassword(around: Surroundings): Promise<string> {
  if (!around.isTerminal) return firstLine(around.stdin)
  const dark = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: around.stdin, output: dark, terminal: true })
  around.tell("Password:") // after the terminal was told not to show what is typed
  try {
    return await lineOf(terminal)
  } finally {
    terminal.close()
  }
}

function lineOf(terminal: ReturnType<typeof createInterface>): Promise<string> {
  return new Promise((resolve, reject) => {
    terminal.once("line", resolve)
    terminal.once("close", () => reject(new Refusal("nothing was entered")))
  })
}

async function firstLine(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    const end = bytes.indexOf("\n")
    chunks.push(end < 0 ? bytes : bytes.subarray(0, end))
    size += bytes.length
    if (end >= 0 || size > maxLine) break
  }
  return decoded(Buffer.concat(chunks)).replace(/\r$/, "")
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Refusal("standard input is not UTF-8")
  }
}
