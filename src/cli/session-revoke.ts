import { command, fileArgs } from "./command.ts"
import { UsageError } from "./failures.ts"
import { withApp } from "./open.ts"
import { operatorOf } from "./operator.ts"
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
    const { target, count } = await withApp(around, args, async ({ store, users }) => {
      const target = username === undefined ? null : await userNamed(store, username)
      return { target, count: await users.endAccess(operatorOf(around), target) }
    })
    const sessions = count === 1 ? "1 session" : `${count} sessions`
    await around.print(`Ended ${sessions} and all tokens of ${target?.username ?? "everybody"}`)
  },
})
