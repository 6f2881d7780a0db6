import { isActive } from "../domain/model.ts"
import { withApp } from "./support/app.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { json, table } from "./support/output.ts"

const columns = ["name", "username", "dept", "email", "currency"] as const

/** Prints the users in the order of their creation (docs/interface.md, "Command line"). */
export const userList = command({
  name: "user-list",
  description: "List the users",
  example: "rewards user-list --json",
  args: {
    all: { type: "boolean", description: "Also those whose account is inactive" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ all, ...args }, context) {
    const users = await withApp(context, args, ({ store }) => store.users.list())
    const listed = all ? users : users.filter(isActive)
    const shown = listed.map(({ name, username, dept, email, currency }) => ({ name, username, dept, email, currency }))
    const rows = shown.map((user) => columns.map((column) => user[column]))
    await context.print(args.json ? json(shown) : table(columns, rows))
  },
})
