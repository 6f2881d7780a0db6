import { resetDatabase } from "../storage/sqlite/maintenance/reset.ts"
import { command, databaseFileOf, fileArgs } from "./support/command.ts"
import { Refusal, usingDatabase } from "./support/failures.ts"
import { ask } from "./support/input.ts"

/** Drops all tables; asks first unless forced (docs/interface.md, "Command line"). */
export const resetDb = command({
  name: "reset-db",
  description: "Drop all tables",
  example: "rewards reset-db --force",
  args: { force: { type: "boolean", alias: "f", description: "Do not ask for confirmation" }, ...fileArgs },
  async run({ force, ...args }, context) {
    const path = databaseFileOf(context, args)
    if (!force && !context.stdinIsTerminal)
      throw new Refusal(`this would drop all tables of ${path}: confirm with --force`)
    if (!force && !isYes(await ask(context, `Drop all tables of ${path}? [y/N]`)))
      throw new Refusal("nothing was dropped")
    await usingDatabase({ path, url: null }, () => resetDatabase(path))
    await context.print(`Dropped all tables of ${path}`)
  },
})

const isYes = (answer: string): boolean => /^\s*y(es)?\s*$/i.test(answer)
