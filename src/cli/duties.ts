import { checkedDuties } from "../domain/people/duties.ts"
import { dutyNames, type User } from "../domain/people/model.ts"
import { operatorOf, userNamed, withApp } from "./support/app.ts"
import { listOption, partsOf } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { json, table, visible } from "./support/terminal.ts"

/** Shows or changes the duties of a user, or lists everybody who has some. */
export const duties = command({
  name: "duties",
  description: "Give duties to a user, take them back, or list who has some",
  example: "rewards duties ana-souza --add people --remove insights",
  args: {
    username: { type: "positional", required: false, description: "Username or e-mail address; without it, everybody" },
    add: listOption("DUTIES", `Give ${dutyNames.join(", ")}, separated by commas; may be repeated`),
    remove: listOption("DUTIES", "Take duties back, likewise"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ username, ...args }, context) {
    const [added, removed] = [partsOf(args.add), partsOf(args.remove)]
    const change = [...added, ...removed]
    if (username === undefined && change.length > 0) throw new UsageError("name the user whose duties change")
    if (removed.some((name) => added.includes(name))) throw new UsageError("give a duty or take it back, not both")
    const found = await withApp(context, args, async ({ store, users }): Promise<readonly User[]> => {
      if (username === undefined) return store.users.withDuties()
      const user = await userNamed(store, username)
      if (change.length === 0) return [user]
      checkedDuties(change)
      const after = [...user.duties.filter((duty) => !removed.includes(duty)), ...added]
      return [await users.correct(operatorOf(context), user, { duties: after })]
    })
    const rows = found.map((user) => [visible(user.username), user.duties.join(", ") || "none"])
    const items = found.map((user) => ({ username: user.username, duties: user.duties }))
    await context.print(args.json ? json(items) : table(["username", "duties"], rows))
  },
})
