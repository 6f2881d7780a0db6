import { command, fileArgs, jsonArg } from "./command.ts"
import { withApp } from "./open.ts"
import { isoTime, json, table } from "./text.ts"
import { userNamed } from "./user-named.ts"

const columns = ["username", "opened", "from", "expires"] as const

/** Prints the cookie sessions that have not expired. */
export const sessionList = command({
  name: "session list",
  description: "List the open cookie sessions",
  example: "rewards session list ana-souza",
  args: {
    username: { type: "positional", required: false, description: "Whose; without it everybody's" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ username, ...args }, around) {
    const sessions = await withApp(around, args, async ({ store }) => {
      const user = username === undefined ? null : await userNamed(store, username)
      return store.sessions.list(user?.username ?? null, around.now())
    })
    const shown = sessions.map(({ username, openedAt, address, expiresAt }) => ({
      username,
      opened: openedAt === null ? null : isoTime(openedAt),
      from: address,
      expires: isoTime(expiresAt),
    }))
    const rows = shown.map((session) => columns.map((column) => session[column] ?? ""))
    await around.print(args.json ? json(shown) : table(columns, rows))
  },
})
