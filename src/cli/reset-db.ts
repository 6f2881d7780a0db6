import { databaseName, maintenanceOf } from "../storage/open.ts"
import { command, configOf, fileArgs } from "./support/command.ts"
import { Refusal, usingDatabase } from "./support/failures.ts"
import { ask } from "./support/input.ts"

/** Drops all tables; asks first unless forced (docs/interface.md, "Command line"). */
export const resetDb = command({
  name: "reset-db",
  description: "Drop all tables",
  example: "rewards reset-db --force",
  args: { force: { type: "boolean", alias: "f", description: "Do not ask for confirmation" }, ...fileArgs },
  async run({ force, ...args }, context) {
    const { db } = configOf(context, args)
    const name = databaseName(db)
    if (!force && !context.stdinIsTerminal)
      throw new Refusal(`this would drop all tables of ${name}: confirm with --force`)
    if (!force && !isYes(await ask(context, `Drop all tables of ${name}? [y/N]`)))
      throw new Refusal("nothing was dropped")
    await usingDatabase(db, async () => (await maintenanceOf(db)).reset())
    await context.print(`Dropped all tables of ${name}`)
  },
})

const isYes = (answer: string): boolean => /^\s*y(es)?\s*$/i.test(answer)
