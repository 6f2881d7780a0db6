import { jsonLists } from "../json-lists.ts"
import { operatorOf, userNamed, withApp } from "./support/app.ts"
import { command, fileArgs } from "./support/command.ts"
import { escaped } from "./support/output.ts"

/** Prints everything that is stored about one person. */
export const privacy = command({
  name: "privacy",
  description: "Print everything that is stored about a user, as JSON",
  example: "rewards privacy ana-souza > ana.json",
  args: {
    username: { type: "positional", required: true, description: "The user" },
    ...fileArgs,
  },
  async run({ username, ...args }, context) {
    await withApp(context, args, async ({ store, exports }) => {
      const data = await exports.personalData(operatorOf(context), await userNamed(store, username))
      for await (const piece of jsonLists(data)) await context.write(escaped(piece))
    })
  },
})
