import { command, fileArgs, jsonArg } from "./command.ts"
import { withApp } from "./open.ts"
import { json, table } from "./text.ts"

const columns = ["name", "username", "dept", "email", "currency"] as const

/** Prints everybody, in the order of their creation (contract, Command-line tool: user-list). */
export const userList = command({
  name: "user-list",
  description: "List all users",
  example: "rewards user-list --json",
  args: { ...jsonArg, ...fileArgs },
  async run(args, around) {
    const users = await withApp(around, args, ({ store }) => store.users.list())
    const shown = users.map(({ name, username, dept, email, currency }) => ({ name, username, dept, email, currency }))
    const rows = shown.map((user) => columns.map((column) => user[column]))
    await around.print(args.json ? json(shown) : table(columns, rows))
  },
})
