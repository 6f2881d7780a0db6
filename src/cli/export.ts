import { resolve } from "node:path"
import type { App } from "../app.ts"
import { transactionsCsv, usersCsv } from "../csv/write.ts"
import { type Operator, operatorOf, withApp } from "./support/app.ts"
import { command, fileArgs } from "./support/command.ts"
import type { CommandContext } from "./support/context.ts"
import { visibleLines, writePieces } from "./support/output.ts"

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
  async run({ what, file, ...args }, context) {
    await withApp(context, args, async (app) => {
      const pieces = await piecesOf(what, app, operatorOf(context))
      if (file === undefined) await show(pieces, context)
      else await writePieces(resolve(context.cwd, file), file, pieces)
    })
  },
})

/** As it is, but on a terminal, which text of other people must not drive. */
async function show(pieces: AsyncIterable<string>, { write, stdoutIsTerminal }: CommandContext) {
  for await (const piece of pieces) await write(stdoutIsTerminal ? visibleLines(piece) : piece)
}

/** `what` is one of the choices: the arguments were checked. */
async function piecesOf(what: string, { exports }: App, operator: Operator) {
  if (what === "users") return usersCsv(await exports.users(operator))
  return transactionsCsv(await exports.transactions(operator, null, {}))
}
