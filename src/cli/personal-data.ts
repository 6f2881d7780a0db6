import { erasedReasons } from "../domain/people/model.ts"
import { jsonLists } from "../formats/json-lists.ts"
import { operatorOf, userArg, userNamed, withApp } from "./support/app.ts"
import { option } from "./support/arguments.ts"
import { command, fileArgs } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { escaped, visible } from "./support/terminal.ts"

export const userExportData = command({
  name: "user export-data",
  description: "Print everything that is stored about a user, as JSON",
  example: "rewards user export-data ana-souza > ana.json",
  args: {
    username: userArg,
    ...fileArgs,
  },
  async run({ username, ...args }, context) {
    await withApp(context, args, async ({ store, exports }) => {
      const data = await exports.personalData(operatorOf(context), await userNamed(store, username))
      for await (const piece of jsonLists(data)) await context.write(escaped(piece))
    })
  },
})

/** Erases what is stored about somebody who left. */
export const userErase = command({
  name: "user erase",
  description: "Erase the personal data of somebody who left; this cannot be undone",
  example: "rewards user erase ana-souza --reasons written",
  args: {
    username: { ...userArg, description: "Username or e-mail address; the account must be deactivated" },
    reasons: option(
      "WHICH",
      "Also erase the reasons of transactions that the person sent (written), or sent and received (all)",
    ),
    ...fileArgs,
  },
  async run({ username, reasons = "none", ...args }, context) {
    const which = erasedReasons.find((known) => known === reasons)
    if (which === undefined) throw new UsageError(`--reasons must be one of ${erasedReasons.join(", ")}`)
    const [before, after] = await withApp(context, args, async ({ store, leavers }) => {
      const user = await userNamed(store, username)
      return [user, await leavers.erase(operatorOf(context), user, which)]
    })
    await context.print(`User ${visible(before.username)} is erased; the ledger names ${after.username} instead`)
  },
})
