import { resolve } from "node:path"
import type { App } from "../app.ts"
import { transactionsCsv, usersCsv } from "../csv/write.ts"
import { command, fileArgs } from "./command.ts"
import { writePieces } from "./new-file.ts"
import { withApp } from "./open.ts"
import { type Operator, operatorOf } from "./operator.ts"
import type { Surroundings } from "./surroundings.ts"
import { visibleLines } from "./text.ts"

/** Writes everybody, or every transaction, as CSV. */
export const exportTable = command({
  name: "export",
  description: "Write all users or all transactions as CSV",
  example: "rewards export transactions transactions.csv",
  args: {
    what: { type: "positional", required: true, valueHint: "users|transactions", description: "Which" },
    file: { type: "positional", required: false, description: "A new file; without it, standard output" },
    ...fileArgs,
  },
  async run({ what, file, ...args }, around) {
    await withApp(around, args, async (app) => {
      const pieces = await piecesOf(what, app, operatorOf(around))
      if (file === undefined) await show(pieces, around)
      else await writePieces(resolve(around.cwd, file), file, pieces)
    })
  },
})

/** As it is, but on a terminal, which text of other people must not drive. */
async function show(pieces: AsyncIterable<string>, { put, writesToTerminal }: Surroundings) {
  for await (const piece of pieces) await put(writesToTerminal ? visibleLines(piece) : piece)
}

/** `what` is one of the choices: the arguments were checked. */
async function piecesOf(what: string, { exports }: App, operator: Operator) {
  if (what === "users") return usersCsv(await exports.users(operator))
  return transactionsCsv(await exports.transactions(operator, null, {}))
}
