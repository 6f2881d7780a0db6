import { resolve } from "node:path"
import type { App } from "../app/app.ts"
import { maxImportRows } from "../domain/people/import-rows.ts"
import { type ImportResult, maxImportBytes } from "../domain/people/imports.ts"
import { readCsv, transactionsCsv, usersCsv } from "../formats/csv.ts"
import { type Operator, operatorOf, withApp } from "./support/app.ts"
import { argument, flag, pathArg } from "./support/arguments.ts"
import { type CommandContext, command, fileArgs, jsonArg } from "./support/command.ts"
import { Refusal } from "./support/failures.ts"
import { fileBytes } from "./support/files.ts"
import { counted, json, visibleLines, writePieces } from "./support/terminal.ts"

/** Creates and changes users from a file, all or nothing. */
export const userImport = command({
  name: "user import",
  description: "Create and change users from a CSV file, all or nothing",
  example: "rewards user import people.csv --dry-run",
  args: {
    file: {
      ...pathArg,
      required: true,
      description:
        "A CSV file whose first row names the columns, such as name, email and dept; or - for standard input",
    },
    "dry-run": flag("Print what would change and every invalid row, and change nothing"),
    invite: flag("Mail every new user a link to set a password"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ file, invite = false, ...args }, context) {
    const table = await readCsv(await fileBytes(file, context, maxImportBytes), maxImportRows)
    const dryRun = args["dry-run"] === true
    const result = await withApp(context, args, async ({ imports }) => {
      const operator = operatorOf(context)
      const preview = await imports.run(operator, table, { dryRun: true, invite })
      if (preview.errors.length > 0) throw new Refusal(preview.errors.map(lineOf).join("\n"))
      return dryRun ? preview : imports.run(operator, table, { dryRun, invite })
    })
    const { created, updated, unchanged } = result
    const counts = { created, updated, unchanged }
    await context.print(args.json ? json(counts) : sentence(result, dryRun))
  },
})

const lineOf = ({ row, detail }: ImportResult["errors"][number]): string => `row ${row}, ${detail}`

function sentence(result: ImportResult, isDry: boolean): string {
  const { created, updated, unchanged, deactivated, reactivated } = result
  const switched = [
    deactivated.length > 0 && `${deactivated.length} deactivated`,
    reactivated.length > 0 && `${reactivated.length} reactivated`,
  ].filter((part) => part !== false)
  const among = switched.length > 0 ? ` (${switched.join(", ")})` : ""
  return `${counted(created, "user")} ${isDry ? "would be " : ""}created, ${updated} updated${among}, ${unchanged} unchanged`
}

export const exportTable = command({
  name: "export",
  description: "Write all users or all transactions as CSV",
  example: "rewards export transactions transactions.csv",
  args: {
    what: { ...argument("What to export"), valueHint: "users|transactions" },
    file: { ...pathArg, required: false, description: "A new file; by default, or with -, standard output" },
    ...fileArgs,
  },
  async run({ what, file, ...args }, context) {
    await withApp(context, args, async (app) => {
      const pieces = await piecesOf(what, app, operatorOf(context))
      if (file === undefined || file === "-") await printPieces(pieces, context)
      else await writePieces(resolve(context.cwd, file), file, pieces)
    })
  },
})

/** Escapes control characters if the output is a terminal, so that text of other people cannot control it. */
export async function printPieces(pieces: AsyncIterable<string>, { write, stdoutIsTerminal }: CommandContext) {
  for await (const piece of pieces) await write(stdoutIsTerminal ? visibleLines(piece) : piece)
}

/** `what` is one of the choices: `parseArguments` accepts no other values. */
async function piecesOf(what: string, { calendar, exports }: App, operator: Operator) {
  if (what === "users") return usersCsv(await exports.users(operator))
  return transactionsCsv(await exports.transactions(operator, null, {}), calendar)
}
