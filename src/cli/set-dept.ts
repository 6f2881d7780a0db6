import { operatorOf, userNamed, withApp } from "./support/app.ts"
import { command, fileArgs } from "./support/command.ts"
import { visible } from "./support/output.ts"

/** Moves a user to another department. */
export const setDept = command({
  name: "set-dept",
  description: "Move a user to another department",
  example: "rewards set-dept ana-souza management",
  args: {
    username: { type: "positional", required: true, description: "The user" },
    dept: { type: "positional", required: true, description: `Department; "management" makes a superuser` },
    ...fileArgs,
  },
  async run({ username, dept, ...args }, context) {
    const user = await withApp(context, args, async ({ store, users }) =>
      users.correct(operatorOf(context), await userNamed(store, username), { dept }),
    )
    await context.print(`User ${user.username} is now in ${visible(user.dept)}`)
  },
})
