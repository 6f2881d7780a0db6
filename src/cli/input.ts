import type { Interface, ReadLineOptions } from "node:readline/promises"
import { Refusal } from "./failures.ts"
import type { Surroundings } from "./surroundings.ts"

/** Of a line that is read without a terminal, in bytes. */
const maxLine = 65_536

/** Asks somebody at a terminal. */
export async function ask({ stdin, tell }: Surroundings, question: string): Promise<string> {
  const [answer = ""] = await answers(await terminalOf({ input: stdin }), tell, [question])
  return answer
}

/** The first line of standard input, without its end; at a terminal it is asked for and not shown. */
export async function readPassword(around: Surroundings): Promise<string> {
  if (!around.isTerminal) return firstLine(around.stdin)
  const [password = ""] = await typedBlindly(around, ["Password:"])
  return password
}

/** The same for one that somebody makes up: at a terminal it is asked for twice, since nobody sees what is typed. */
export async function readNewPassword(around: Surroundings) {
  if (around.isTerminal) {
    const [password = "", confirmation = ""] = await typedBlindly(around, ["New password:", "Again:"])
    return { password, confirmation }
  }
  const password = await firstLine(around.stdin)
  return { password, confirmation: password }
}

async function typedBlindly({ stdin, tell }: Surroundings, questions: readonly string[]): Promise<string[]> {
  const { Writable } = await import("node:stream")
  const dark = new Writable({ write: (_chunk, _encoding, done) => done() })
  return answers(await terminalOf({ input: stdin, output: dark, terminal: true }), tell, questions)
}

const terminalOf = async (options: ReadLineOptions): Promise<Interface> =>
  (await import("node:readline/promises")).createInterface(options)

/** Tells each question after the terminal was told whether to show what is typed, and takes a line for it. */
async function answers(
  terminal: Interface,
  tell: Surroundings["tell"],
  questions: readonly string[],
): Promise<string[]> {
  const lines = terminal[Symbol.asyncIterator]()
  const typed: string[] = []
  try {
    for (const question of questions) {
      tell(question)
      const line = await lines.next()
      if (line.done) throw new Refusal("nothing was entered")
      typed.push(line.value)
    }
    return typed
  } finally {
    terminal.close()
  }
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
