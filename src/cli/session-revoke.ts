import { command, fileArgs } from "./command.ts"
import { UsageError } from "./failures.ts"
import { withApp } from "./open.ts"
import { userNamed } from "./user-named.ts"

/** Logs a user, or everybody, out everywhere: cookie sessions and tokens end at once. */
export const sessionRevoke = command({
  name: "session revoke",
  description: "End every session and token of a user, or of everybody",
  example: "rewards session revoke ana-souza",
  args: {
    username: { type: "positional", required: false, description: "Whose" },
    all: { type: "boolean", description: "Everybody's" },
    ...fileArgs,
  },
  async run({ username, all, ...args }, around) {
    if ((username === undefined) !== (all === true)) throw new UsageError("either USERNAME or --all")
    const [whose, count] = await withApp(around, args, async ({ store }) => {
      if (username === undefined) return ["everybody", await store.users.endAccess(null)] as const
      const user = await userNamed(store, username)
      return [user.username, await store.users.endAccess(user.id)] as const
    })
    await around.print(`Ended ${count === 1 ? "1 session" : `${count} sessions`} and all tokens of ${whose}`)
  },
})
