import { operatorOf, userNamed, withApp } from "./support/app.ts"
import { command, fileArgs } from "./support/command.ts"
import { visible } from "./support/output.ts"

/** For somebody who got another account at the provider. */
export const unlink = command({
  name: "unlink",
  description: "Forget by which account at the single sign-on provider a user logs in",
  example: "rewards unlink ana-souza",
  args: {
    username: { type: "positional", required: true, description: "The user" },
    ...fileArgs,
  },
  async run({ username, ...args }, context) {
    const { user, unlinked } = await withApp(context, args, async ({ store, singleSignOn }) => {
      const user = await userNamed(store, username)
      return { user, unlinked: await singleSignOn.unlink(operatorOf(context), user) }
    })
    const next = "the next log-in through the provider links the account again, by its e-mail address"
    await context.print(
      unlinked
        ? `User ${visible(user.username)} is unlinked: ${next}`
        : `User ${visible(user.username)} was not linked`,
    )
  },
})
