import { resolve } from "node:path"
import { parseDatabaseUrl } from "../config/database-url.ts"
import { copy as copyDatabase } from "../storage/copy/copy.ts"
import { databaseName, maintenanceOf } from "../storage/open.ts"
import { recordAction } from "./support/app.ts"
import { command, configOf, fileArgs, jsonArg } from "./support/command.ts"
import type { CommandContext } from "./support/context.ts"
import { Refusal, UsageError, usingDatabase } from "./support/failures.ts"
import { readSecret } from "./support/input.ts"
import { counted, json } from "./support/output.ts"

/** Copies everything from a database file to PostgreSQL, or back. */
export const copy = command({
  name: "copy",
  description: "Copy everything to a PostgreSQL database, or from there to a file",
  example: "rewards copy --to postgres://rewards@db.example.com/rewards",
  args: {
    to: {
      type: "string",
      required: true,
      valueHint: "TARGET",
      description: "URL of an empty PostgreSQL database, a new file, or - to read either from standard input",
    },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ to, ...args }, context) {
    const from = configOf(context, args).db
    const target = await targetOf(to, context)
    if (from.url === null && target.url === null)
      throw new Refusal("a database file is copied to another file by `rewards backup FILE`")
    const [fromName, toName] = [databaseName(from), databaseName(target)]
    const source = await maintenanceOf({ ...from, path: resolve(context.cwd, from.path) })
    const destination = await maintenanceOf(target)
    context.lowerPriority()
    const begun = Bun.nanoseconds()
    const { transactions, rows } = await usingDatabase(from, () =>
      source.asSource((reading) =>
        usingDatabase(target, () =>
          destination.asTarget((writing) =>
            copyDatabase({ source: reading, target: writing, now: context.now(), onProgress: context.printError }),
          ),
        ),
      ),
    )
    const seconds = (Bun.nanoseconds() - begun) / 1e9
    await recordAction({ database: source, action: "copy", detail: `to ${toName}` }, context)
    await recordAction({ database: destination, action: "copy", detail: `from ${fromName}` }, context)
    if (args.json) return context.print(json({ to: toName, transactions, rows, seconds: Number(seconds.toFixed(3)) }))
    await context.print(
      `Copied ${counted(transactions, "transaction")} to ${toName}; both sides verified and the same ` +
        `(${counted(rows, "row")} in ${seconds.toFixed(1)} s)`,
    )
  },
})

/** @throws UsageError */
async function targetOf(text: string, context: CommandContext) {
  const named = text === "-" ? (await readSecret(context, "URL or file to copy to:")).trim() : text
  if (!/^postgres(ql)?:/.test(named)) return { path: resolve(context.cwd, named), url: null }
  const url = parseDatabaseUrl(named)
  if (url === undefined) throw new UsageError("option --to: the URL is not one that db.url takes; see docs/settings.md")
  if (text !== "-" && url.password !== "")
    context.printError("the process list shows this password; `--to -` reads the URL from standard input")
  return { path: "", url: named }
}
