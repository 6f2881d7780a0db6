import { resetDatabase } from "../storage/sqlite/maintenance/reset.ts"
import { command, configOf, fileArgs } from "./command.ts"
import { Refusal, usingDatabase } from "./failures.ts"
import { ask } from "./input.ts"

/** Drops all tables, after a question unless forced (contract, Command-line tool: reset-db). */
export const resetDb = command({
  name: "reset-db",
  description: "Drop all tables",
  example: "rewards reset-db --force",
  args: { force: { type: "boolean", alias: "f", description: "Do not ask" }, ...fileArgs },
  async run({ force, ...args }, around) {
    const { path } = configOf(around, args).db
    if (!force && !around.isTerminal) throw new Refusal(`all tables of ${path} would be dropped: say so with --force`)
    if (!force && !isYes(await ask(around, `Drop all tables of ${path}? [y/N]`)))
      throw new Refusal("nothing was dropped")
    await usingDatabase(path, () => resetDatabase(path))
    await around.print(`Dropped all tables of ${path}`)
  },
})

const isYes = (answer: string): boolean => /^\s*y(es)?\s*$/i.test(answer)
