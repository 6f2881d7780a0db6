import { type App, createApp } from "../app.ts"
import type { Config } from "../config/settings.ts"
import { entries } from "../config/settings.ts"
import { auditEntry } from "../domain/audit-log.ts"
import { createLog } from "../log.ts"
import { command, configWithSecret, fileArgs } from "./command.ts"
import { usingDatabase } from "./failures.ts"
import { errorsOnly, refuseMistyped } from "./open.ts"
import { operatorOf } from "./operator.ts"

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
      refuseMistyped(around, args)
      const log = errorsOnly(createLog(around.tell))
      const app = await createApp(config, { log, clock: around.now, onMigrating: around.tell })
      try {
        const operator = operatorOf(around)
        await app.auditLog.record(auditEntry(operator, around.now(), "shell"))
        Object.assign(globalThis, scopeOf(app, config), { operator })
        const { converse, runStatements } = await import("./console.ts")
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
