import { mkdirSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { createInterface } from "node:readline"
import { type REPLServer, start } from "node:repl"
import { inspect } from "node:util"
import { constants, runInThisContext } from "node:vm"
import type { CommandContext } from "./support/command.ts"
import { Refusal } from "./support/failures.ts"

/** An interactive session at a terminal, with line editing and history. */
export async function runInteractively(context: CommandContext): Promise<void> {
  const { stdin, stdout, colour, printError } = context
  printError(
    "Available: users, ledger, passwords, tokens, sessions, access, store, config, operator. Exit with .exit or Ctrl-D.",
  )
  const repl = start({
    prompt: "rewards> ",
    input: stdin,
    output: stdout,
    terminal: true,
    useColors: colour,
    useGlobal: true,
    ignoreUndefined: true,
  })
  keepHistory(repl, context)
  await new Promise((resolve) => repl.once("exit", resolve))
}

/** Keeps the history of a session in the home directory, if there is one. */
function keepHistory(repl: REPLServer, { env, printError }: CommandContext) {
  const { XDG_STATE_HOME: state = "", HOME: home = "" } = env
  const base = isAbsolute(state) ? state : isAbsolute(home) ? join(home, ".local/state") : null
  if (base === null) return
  const folder = join(base, "rewards")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  repl.setupHistory(join(folder, ".rewards_history"), (error) => {
    if (error) printError(`no history: ${error.message}`)
  })
}

/** Runs the statements of standard input one after another and awaits each. @throws Refusal with the failing line */
export async function runStatements({ stdin, print, colour }: CommandContext): Promise<void> {
  let code = ""
  let first = 1
  let count = 0
  for await (const line of createInterface({ input: stdin })) {
    count += 1
    code += `${line}\n`
    if (line.trim() === ".exit") return
    if (isIncomplete(code)) continue
    await run()
  }
  if (code !== "") await run()

  async function run() {
    const value = await evaluate(code).catch((error) => {
      throw new Refusal(`line ${first}: ${error}`, { cause: error })
    })
    if (value !== undefined && !isDeclaration(code)) await print(inspect(value, { colors: colour }))
    code = ""
    first = count + 1
  }
}

const transpiler = new Bun.Transpiler({ loader: "ts", replMode: true })

/** Runs statements in the global scope, so that declarations persist. `await` works; the last value is awaited. */
export async function evaluate(code: string): Promise<unknown> {
  const last: unknown = await runInThisContext(transpiler.transformSync(code), {
    filename: "shell",
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  return isValue(last) ? await last.value : undefined
}

/** Whether further lines may complete this code. */
export function isIncomplete(code: string): boolean {
  const problem = syntaxErrorIn(code)
  if (problem === null) return false
  return /end of file|to terminate multi-line comment/.test(problem) || isOpenTemplate(code, problem)
}

/** Whether the code is a declaration, whose value is not printed. */
export const isDeclaration = (code: string): boolean =>
  /^\s*(const|let|var|class|function|async function|import)\b/.test(code)

/**
 * Whether the problem is an open template literal. Bun reports it like an open string, but only a template can continue on
 * the next line.
 */
function isOpenTemplate(code: string, problem: string): boolean {
  if (!problem.startsWith("Unterminated string")) return false
  const closed = syntaxErrorIn(`${code}\``)
  return closed === null || closed.includes("end of file")
}

function syntaxErrorIn(code: string): string | null {
  try {
    transpiler.transformSync(code)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Whether the result is the object in which Bun wraps the value of the last expression. */
const isValue = (result: unknown): result is { value: unknown } =>
  typeof result === "object" && result !== null && "value" in result
