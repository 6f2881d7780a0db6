import { rowsCsv } from "../formats/csv.ts"
import { holdingView, outstandingView } from "../formats/views/outstanding.ts"
import { printPieces } from "./csv.ts"
import { withOperator } from "./support/app.ts"
import { flag, option } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { json, table } from "./support/terminal.ts"

const columns = ["username", "name", "dept", "balance", "redeemable", "value"] as const

/** What people held at the end of a day (docs/interface/finance.md). */
export const balances = command({
  name: "balances",
  description: "Print the points that people held at the end of a day",
  example: "rewards balances --at 2026-10-31 --csv",
  args: {
    at: option("DAY", "The day, such as 2026-10-31, in the time zone of the service; by default today, so far"),
    csv: flag("Write CSV"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ at, csv, json: isJson, ...args }, context) {
    if (csv && isJson) throw new UsageError("give either --csv or --json")
    const { items, ...found } = await withOperator(context, args, (app, by) =>
      csv ? app.outstanding.exportDay(by, { at }) : app.outstanding.on(by, { at }),
    )
    const rows = items.map(holdingView)
    if (csv) {
      const cells = rows.map((row) => ({ at: found.at, ...row, currency: found.currency }))
      return printPieces(rowsCsv(["at", ...columns, "currency"], cells), context)
    }
    if (isJson) return context.print(json({ ...outstandingView(found), items: rows }))
    const { balance, redeemable, value } = found.total
    const all = { username: "total", name: "", dept: "", balance, redeemable, value }
    const heads = columns.map((column) => (column === "value" && found.currency !== null ? found.currency : column))
    const lines = [...rows, all].map((row) => columns.map((column) => `${row[column] ?? ""}`))
    await context.print(table(heads, lines))
  },
})
