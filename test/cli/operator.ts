import { expect } from "bun:test"
import { join } from "node:path"
import { Readable } from "node:stream"
import { runCommandLine } from "../../src/cli/run.ts"
import type { Environment } from "../../src/config/sources.ts"
import type { Clock } from "../../src/domain/clock.ts"
import { type CommandResult, temporaryFolder } from "../support/executable.ts"

export interface Typed {
  /** The content of standard input; absent: empty. */
  readonly stdin?: string | Uint8Array
  readonly env?: Environment
  /** Whether standard input is a terminal at which somebody types `stdin`. */
  readonly stdinIsTerminal?: boolean
  readonly colour?: boolean
  /** Whether standard output is a terminal. */
  readonly stdoutIsTerminal?: boolean
  readonly now?: Clock
  /** The code of the system error with which writes to standard output fail. */
  readonly broken?: string
}

export type Operator = Awaited<ReturnType<typeof operator>>

/** An operator at the command line in a new folder. Commands run in this process, with cheap password hashes. */
export async function operator() {
  const folder = await temporaryFolder()
  const database = join(folder.path, "rewards.db")

  return {
    folder: folder.path,
    database,

    /** Runs `rewards` with these arguments. */
    async types(args: readonly string[], typed: Typed = {}): Promise<CommandResult> {
      const {
        stdin = "",
        env = {},
        stdinIsTerminal = false,
        colour = false,
        stdoutIsTerminal = false,
        now = Date.now,
        broken,
      } = typed
      const written = { stdout: "", stderr: "" }
      const status = await runCommandLine(args, {
        cwd: folder.path,
        env: { REWARDS_SECURITY__BCRYPT_COST: "4", REWARDS_DB__PATH: database, ...env },
        underTest: true,
        pid: 1,
        program: ["rewards"],
        user: "olga",
        now,
        colour,
        stdoutIsTerminal,
        stdinIsTerminal,
        stdin: Readable.from([Buffer.from(stdin)]),
        stdout: process.stderr,
        async print(text) {
          if (broken !== undefined)
            throw Object.assign(new Error(`${broken}: write`), { code: broken, syscall: "write" })
          written.stdout += `${text}\n`
        },
        async write(text) {
          written.stdout += text
        },
        async writeFile(path) {
          written.stdout += await Bun.file(path).text()
        },
        lowerPriority() {},
        printError(text) {
          written.stderr += `${text}\n`
        },
        stopSignal: () => new Promise(() => {}),
        exit(status) {
          throw new Error(`ended with ${status}`)
        },
      })
      return { status, ...written }
    },

    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** Exit status 0 and these lines on standard output, nothing else. */
export const done = (...lines: readonly string[]): CommandResult => ({ status: 0, stdout: text(lines), stderr: "" })

/** Exit status 0, and on standard output this line and one that names the newest transaction. */
export const doneAnchored = (line: string) => ({
  status: 0,
  stdout: expect.stringMatching(new RegExp(`^${RegExp.escape(line)}\nnewest: \\d+:[0-9a-f]{64}\n$`)),
  stderr: "",
})

/** Exit status 1 and these lines on standard error, nothing else. */
export const refused = (...lines: readonly string[]): CommandResult => ({ status: 1, stdout: "", stderr: text(lines) })

/** Exit status 2 and these lines on standard error, nothing else. */
export const misused = (...lines: readonly string[]): CommandResult => ({ status: 2, stdout: "", stderr: text(lines) })

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("")

/** An operator with a database that has only `admin`. */
export async function operatorWithDatabase(): Promise<Operator> {
  const operates = await operator()
  expect(await operates.types(["migrate"])).toMatchObject({ status: 0 })
  return operates
}
