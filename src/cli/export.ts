import { resolve } from "node:path"
import type { App } from "../app.ts"
import { transactionsCsv, usersCsv } from "../csv/write.ts"
import { type Operator, operatorOf, withApp } from "./support/app.ts"
import { command, fileArgs } from "./support/command.ts"
import type { CommandContext } from "./support/context.ts"
import { visibleLines, writePieces } from "./support/output.ts"

/** Writes all users, or all transactions, as CSV. */
export const exportTable = command({
  name: "export",
  description: "Write all users or all transactions as CSV",
  example: "rewards export transactions transactions.csv",
  args: {
    what: { type: "positional", required: true, valueHint: "users|transactions", description: "What to export" },
    file: { type: "positional", required: false, description: "A new file; by default standard output" },
    ...fileArgs,
  },
  async run({ what, file, ...args }, context) {
    await withApp(context, args, async (app) => {
      const pieces = await piecesOf(what, app, operatorOf(context))
      if (file === undefined) await printPieces(pieces, context)
      else await writePieces(resolve(context.cwd, file), file, pieces)
    })
  },
})

/** Escapes control characters only for a terminal, which text of other people must not control. */
async function printPieces(pieces: AsyncIterable<string>, { write, stdoutIsTerminal }: CommandContext) {
  for await (const piece of pieces) await write(stdoutIsTerminal ? visibleLines(piece) : piece)
}

/** The arguments were checked, so `what` is one of the choices. */
async function piecesOf(what: string, { calendar, exports }: App, operator: Operator) {
  if (what === "users") return usersCsv(await exports.users(operator))
  return transactionsCsv(await exports.transactions(operator, null, {}), calendar)
}
