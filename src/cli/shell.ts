import { mkdirSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { createInterface } from "node:readline"
import { type REPLServer, start } from "node:repl"
import { inspect } from "node:util"
import { type App, createApp } from "../app.ts"
import { entries } from "../config/settings.ts"
import type { Config } from "../config.ts"
import { auditEntry } from "../domain/audit.ts"
import { createLog } from "../log.ts"
import { command, configWithSecret, fileArgs } from "./command.ts"
import { evaluate, isDeclaration, isIncomplete } from "./evaluate.ts"
import { Refusal, usingDatabase } from "./failures.ts"
import { errorsOnly } from "./open.ts"
import { operatorOf } from "./operator.ts"
import type { Surroundings } from "./surroundings.ts"

/**
 * A JavaScript shell around the app (contract, Command-line tool: shell). At a terminal with editing and history;
 * otherwise statements of standard input run one after another, each awaited, until one fails.
 */
export const shell = command({
  name: "shell",
  description: "Open a JavaScript shell around the app",
  example: `echo 'await store.users.balanceOf(1)' | rewards shell`,
  args: fileArgs,
  async run(args, around) {
    const config = configWithSecret(around, args)
    await usingDatabase(config.db.path, async () => {
      const log = errorsOnly(createLog(around.tell))
      const app = await createApp(config, { log, clock: around.now, onMigrating: around.tell })
      try {
        const operator = operatorOf(around)
        await app.trail.record(auditEntry(operator, around.now(), "shell"))
        Object.assign(globalThis, scopeOf(app, config), { operator })
        await (around.isTerminal ? converse(around) : runStatements(around))
      } finally {
        await app.close()
      }
    })
  },
})

const scopeOf = ({ users, ledger, passwords, tokens, sessions, access, store }: App, config: Config) => ({
  users,
  ledger,
  passwords,
  tokens,
  sessions,
  access,
  store,
  config: withoutSecrets(config),
})

function withoutSecrets(config: Config): unknown {
  const secrets = new Set(entries.filter(({ setting }) => setting.secret).map(({ path }) => path))
  const sections = Object.entries(config).map(([section, values]) => [
    section,
    Object.fromEntries(Object.entries(values).filter(([key]) => !secrets.has(`${section}.${key}`))),
  ])
  return Object.fromEntries(sections)
}

async function converse(around: Surroundings): Promise<void> {
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

async function runStatements({ stdin, print, colour }: Surroundings): Promise<void> {
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
