import { grantToOperator } from "../domain/auth/access.ts"
import { operatorOf, userNamed, withApp } from "./support/app.ts"
import { command, fileArgs } from "./support/command.ts"
import { readNewPassword } from "./support/input.ts"

/** Sets a user's password, which ends every session and token of that user. */
export const setPassword = command({
  name: "set-password",
  description: "Set a user's password and log that user out everywhere",
  example: "rewards set-password ana-souza",
  args: {
    username: { type: "positional", required: true, description: "The user" },
    password: {
      type: "positional",
      required: false,
      description: "The new password; without it, or with -, it is read from standard input",
    },
    ...fileArgs,
  },
  async run({ username, password = "-", ...args }, context) {
    const chosen = password === "-" ? await readNewPassword(context) : { password, confirmation: password }
    const operator = operatorOf(context)
    const user = await withApp(context, args, async ({ store, passwords }) =>
      passwords.change(grantToOperator(await userNamed(store, username), operator.who), chosen, operator),
    )
    await context.print(`Password of ${user.username} set; all sessions and tokens of this user have ended`)
  },
})
