import type { Interface, ReadLineOptions } from "node:readline/promises"
import type { CommandContext } from "./context.ts"
import { Refusal } from "./failures.ts"

/** Longest line that is read without a terminal. */
const maxLineBytes = 65_536

/** Asks a question at a terminal. */
export async function ask({ stdin, printError }: CommandContext, question: string): Promise<string> {
  const [answer = ""] = await answers(await terminalOf({ input: stdin }), printError, [question])
  return answer
}

/** Reads a secret: at a terminal with a prompt and without echo, otherwise the first line of standard input. */
export async function readSecret(context: CommandContext, prompt: string): Promise<string> {
  if (!context.stdinIsTerminal) return firstLine(context.stdin)
  const [secret = ""] = await promptWithoutEcho(context, [prompt])
  return secret
}

/** The same for a new password. A terminal asks for it twice, because typing is not shown. */
export async function readNewPassword(context: CommandContext) {
  if (context.stdinIsTerminal) {
    const [password = "", confirmation = ""] = await promptWithoutEcho(context, ["New password:", "Repeat password:"])
    return { password, confirmation }
  }
  const password = await firstLine(context.stdin)
  return { password, confirmation: password }
}

async function promptWithoutEcho(
  { stdin, printError }: CommandContext,
  questions: readonly string[],
): Promise<string[]> {
  const { Writable } = await import("node:stream")
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() })
  return answers(await terminalOf({ input: stdin, output: noEcho, terminal: true }), printError, questions)
}

const terminalOf = async (options: ReadLineOptions): Promise<Interface> =>
  (await import("node:readline/promises")).createInterface(options)

/** Asks each question, after the terminal was configured to echo or not, and reads a line for it. */
async function answers(
  terminal: Interface,
  printError: CommandContext["printError"],
  questions: readonly string[],
): Promise<string[]> {
  const lines = terminal[Symbol.asyncIterator]()
  const typed: string[] = []
  try {
    for (const question of questions) {
      printError(question)
      const line = await lines.next()
      if (line.done) throw new Refusal("no input")
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
    if (end >= 0 || size > maxLineBytes) break
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
