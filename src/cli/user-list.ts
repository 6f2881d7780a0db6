import { withApp } from "./support/app.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { json, table } from "./support/output.ts"

const columns = ["name", "username", "dept", "email", "currency"] as const

/** Prints all users in the order of their creation (docs/interface.md, "Command line"). */
export const userList = command({
  name: "user-list",
  description: "List all users",
  example: "rewards user-list --json",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const users = await withApp(context, args, ({ store }) => store.users.list())
    const shown = users.map(({ name, username, dept, email, currency }) => ({ name, username, dept, email, currency }))
    const rows = shown.map((user) => columns.map((column) => user[column]))
    await context.print(args.json ? json(shown) : table(columns, rows))
  },
})
