import { mkdirSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { createInterface } from "node:readline"
import { type REPLServer, start } from "node:repl"
import { inspect } from "node:util"
import { evaluate, isDeclaration, isIncomplete } from "./evaluate.ts"
import { Refusal } from "./failures.ts"
import type { Surroundings } from "./surroundings.ts"

/** A conversation at a terminal, with editing and history. */
export async function converse(around: Surroundings): Promise<void> {
  const { stdin, stdout, colour, tell } = around
  tell(
    "users, ledger, passwords, tokens, sessions, access, store, config and operator are yours. End with .exit or Ctrl-D.",
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
  keepHistory(repl, around)
  await new Promise((resolve) => repl.once("exit", resolve))
}

/** Without a home there is none. */
function keepHistory(repl: REPLServer, { env, tell }: Surroundings) {
  const { XDG_STATE_HOME: state = "", HOME: home = "" } = env
  const base = isAbsolute(state) ? state : isAbsolute(home) ? join(home, ".local/state") : null
  if (base === null) return
  const folder = join(base, "rewards")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  repl.setupHistory(join(folder, ".rewards_history"), (error) => {
    if (error) tell(`no history: ${error.message}`)
  })
}

/** The statements of standard input, one after another, each awaited. @throws Refusal with the line of the one that fails */
export async function runStatements({ stdin, print, colour }: Surroundings): Promise<void> {
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
