import { operatorOf, userNamed, withApp } from "./support/app.ts"
import { command, fileArgs } from "./support/command.ts"
import { counted } from "./support/output.ts"

/** For somebody who lost every second factor and the recovery codes. */
export const resetSecondFactor = command({
  name: "reset-second-factor",
  description: "Remove a user's second factors and log that user out everywhere",
  example: "rewards reset-second-factor ana-souza",
  args: {
    username: { type: "positional", required: true, description: "The user" },
    ...fileArgs,
  },
  async run({ username, ...args }, context) {
    const { user, removed } = await withApp(context, args, async ({ store, secondFactors }) => {
      const user = await userNamed(store, username)
      return { user, removed: await secondFactors.reset({ ...operatorOf(context), user: null }, user) }
    })
    await context.print(
      `Removed ${counted(removed, "second factor")} of ${user.username}; all sessions and tokens of this user have ended`,
    )
  },
})
