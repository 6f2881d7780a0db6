import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs"
import type { Interface, ReadLineOptions } from "node:readline/promises"
import { writeAll } from "../../support/log.ts"
import { systemCodeOf, writeProblemOf } from "../../support/system-errors.ts"
import type { CommandContext } from "./command.ts"
import { Refusal } from "./failures.ts"

/** Rows under a header, in columns two spaces apart, aligned by display width because some characters are wide. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows.map((row) => row.map(visible))]
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => Bun.stringWidth(cells[column] ?? ""))))
  const padded = (cell: string, column: number) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell))
  return lines.map((cells) => cells.map(padded).join("  ").trimEnd()).join("\n")
}

/** Escapes control and bidirectional characters, so that text of other people cannot control the terminal. */
export const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

/** Like `visible`, but keeps line ends. */
export const visibleLines = (text: string): string => text.replace(/\r(?!\n)|[^\r\n]+/g, visible)

/** Milliseconds since the epoch as text, in UTC. */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** Indented JSON, safe to print to a terminal. */
export const json = (value: unknown): string => escaped(JSON.stringify(value, null, 2))

/** Escapes the control characters that JSON leaves as they are, since the output may go to a terminal. */
export const escaped = (json: string): string =>
  json.replace(
    /[\x7f-\x9f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

/** A size in megabytes: `12.3 MB`. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** `1 transaction`, `2 transactions`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/**
 * Writes a new file that only its owner can read, completely or not at all. `shown` names it in messages.
 * @throws Refusal when the file exists or cannot be written
 */
export function writeNew(path: string, shown: string, text: string) {
  const handle = openNew(path, shown)
  try {
    writeAll(handle, text)
    fsyncSync(handle)
  } catch (error) {
    rmSync(path) // so that an incomplete file does not block the next attempt
    throw error
  } finally {
    closeSync(handle)
  }
}

/** Like `writeNew`, for contents that arrive in pieces. The file gets its name only when it is complete. */
export async function writePieces(path: string, shown: string, pieces: AsyncIterable<string>): Promise<void> {
  if (existsSync(path)) throw taken(shown)
  const partial = `${path}.partial-${crypto.randomUUID().slice(0, 8)}`
  const handle = openNew(partial, shown)
  try {
    for await (const piece of pieces) writeAll(handle, piece)
    fsyncSync(handle)
    nameNew(partial, path, shown)
  } finally {
    closeSync(handle)
    rmSync(partial, { force: true })
  }
}

/** Makes a link, because a rename would replace a file that appeared meanwhile. */
function nameNew(partial: string, path: string, shown: string) {
  try {
    linkSync(partial, path)
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") throw taken(shown)
    renameSync(partial, path) // this file system has no hard links
  }
}

const taken = (shown: string) => new Refusal(`${shown} already exists and was not changed`)

function openNew(path: string, shown: string): number {
  try {
    return openSync(path, "wx", 0o600)
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") throw taken(shown)
    throw new Refusal(`cannot write ${shown}: ${writeProblemOf(error, path)}`)
  }
}

/** The newest transaction, which the operator can later pass to `--against`. */
export const newestLine = (newest: string | null): string[] => (newest === null ? [] : [`newest: ${newest}`])

/** The longest line that is read from a pipe or file, in bytes. */
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

/** Like `readSecret`, for a new password of this user. Asks for it twice at a terminal, because typing is not shown. */
export async function readNewPassword(context: CommandContext, username: string) {
  if (context.stdinIsTerminal) {
    const [password = "", confirmation = ""] = await promptWithoutEcho(context, [
      `New password of ${username}:`,
      `New password of ${username}, once more:`,
    ])
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

/** Prints each question and reads a line for it. `terminal` already echoes or not when the first question appears. */
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
