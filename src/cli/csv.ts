import { resolve } from "node:path"
import type { App } from "../app/app.ts"
import { maxImportColumns } from "../domain/people/import-columns.ts"
import { dateOrders } from "../domain/people/import-dates.ts"
import { sentencesOf } from "../domain/people/import-faults.ts"
import { readOptionsOf } from "../domain/people/import-options.ts"
import { maxImportRows } from "../domain/people/import-rows.ts"
import { presets } from "../domain/people/import-vocabulary.ts"
import { type ImportResult, maxImportBytes } from "../domain/people/imports.ts"
import { transactionsCsv, usersCsv } from "../formats/csv.ts"
import { type CsvTable, readCsv } from "../formats/read-csv.ts"
import { type Operator, operatorOf, withApp } from "./support/app.ts"
import { argument, flag, option, pathArg } from "./support/arguments.ts"
import { type CommandContext, command, fileArgs, jsonArg } from "./support/command.ts"
import { Refusal } from "./support/failures.ts"
import { fileBytes } from "./support/files.ts"
import { counted, json, visible, visibleLines, writePieces } from "./support/terminal.ts"

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
    "dry-run": flag("Print how the file is read, what would change and everything wrong, and change nothing"),
    invite: flag("Mail every new user a link to set a password"),
    "ignore-unknown": flag("Leave out columns that nobody knows"),
    preset: option(presets.join("|"), "The system that wrote the file; its names of columns come first"),
    dates: option(dateOrders.join("|"), "Whether dates such as 1/2/2026 begin with the day or the month"),
    columns: option("JSON", 'What headers mean, such as {"Team": "dept", "Nickname": null}; null leaves a column out'),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ file, invite = false, preset, dates, columns, ...args }, context) {
    const reading = readOptionsOf({ ignoreUnknown: args["ignore-unknown"] === true, preset, dates, columns })
    const table = await readCsv(await fileBytes(file, context, maxImportBytes), limits)
    const dryRun = args["dry-run"] === true
    const result = await withApp(context, args, async ({ imports }) => {
      const operator = operatorOf(context)
      const preview = await imports.run(operator, table.rows, { ...reading, dryRun: true, invite })
      const faults = preview.reading?.faults ?? []
      if (faults.length > 0) throw new Refusal(sentencesOf(faults, cures).join("\n"))
      return dryRun ? preview : imports.run(operator, table.rows, { ...reading, dryRun, invite })
    })
    const { created, updated, unchanged } = result
    const counts = { created, updated, unchanged, ...(dryRun && readingJson(result, table)) }
    if (args.json) await context.print(json(counts))
    else await context.print([...(dryRun ? readingLines(result, table) : []), sentence(result, dryRun)].join("\n"))
  },
})

const limits = { maxRows: maxImportRows, maxColumns: maxImportColumns }
const cures = { ignore: "--ignore-unknown", columns: "--columns" }

const readingJson = ({ reading }: ImportResult, { encoding, separator }: CsvTable) => {
  if (reading === null) return {}
  const { columns, unknown, dates, leftOut } = reading
  const named = Object.fromEntries(columns.map(({ header, means }) => [header, means]))
  return { encoding, separator, columns: named, unknown, dates, left_out: leftOut }
}

/** How the file was read, since a guess may be wrong. Nothing is guessed about a file in the form of an export. */
function readingLines({ reading }: ImportResult, { encoding, separator }: CsvTable): string[] {
  if (reading === null) return []
  const { columns, unknown, dates, leftOut } = reading
  const isPlain = encoding === "UTF-8" && separator === "," && dates === null && leftOut === 0
  if (isPlain && columns.every(({ header, means }) => header === means)) return []
  const known = columns.flatMap(({ header, means }) =>
    means === null ? [] : [header === means ? means : `${visible(header)} as ${means}`],
  )
  return [
    `read as ${encoding}, separated by ${separatorNames[separator] ?? visible(separator)}: ${known.join(", ")}`,
    ...(unknown.length > 0 ? [`left out: ${unknown.map(visible).join(", ")}`] : []),
    ...(dates === null ? [] : [`dates with slashes begin with the ${dates === "mdy" ? "month" : "day"}`]),
    ...(leftOut > 0 ? [`${counted(leftOut, "row")} left out, of people who left and were never here`] : []),
  ]
}

const separatorNames: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" }

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
