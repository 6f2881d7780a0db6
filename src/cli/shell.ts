import { type App, createApp } from "../app/app.ts"
import { type Config, entries } from "../config/settings.ts"
import { auditEntry } from "../domain/audit/audit-log.ts"
import { createLog } from "../support/log.ts"
import { errorsOnly, operatorOf, refuseMistyped } from "./support/app.ts"
import { command, configWithSecret, fileArgs } from "./support/command.ts"
import { usingDatabase } from "./support/failures.ts"

/**
 * A JavaScript shell in the app (docs/interface/command-line.md). At a terminal it has line editing and history;
 * otherwise it runs the statements of standard input one after another and stops at the first that fails.
 */
export const shell = command({
  name: "shell",
  description: "Open a JavaScript shell in the app",
  example: `echo 'await store.users.balanceOf(1)' | rewards shell`,
  args: fileArgs,
  async run(args, context) {
    const config = configWithSecret(context, args)
    await usingDatabase(config.db, async () => {
      await refuseMistyped(context, args)
      const log = errorsOnly(createLog(context.printError))
      const app = await createApp(config, { log, clock: context.now, onMigrating: context.printError })
      try {
        const operator = operatorOf(context)
        await app.auditLog.record(auditEntry(operator, context.now(), "shell"))
        Object.assign(globalThis, scopeOf(app, config), { operator })
        // Loaded only here, because node:repl slows down every start.
        const { runInteractively, runStatements } = await import("./repl.ts")
        await (context.stdinIsTerminal ? runInteractively(context) : runStatements(context))
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
