import { command, fileArgs } from "./command.ts"
import { withApp } from "./open.ts"
import { operatorOf } from "./operator.ts"
import { visible } from "./text.ts"
import { userNamed } from "./user-named.ts"

/** Moves a user to another department as the operator. */
export const setDept = command({
  name: "set-dept",
  description: "Move a user to another department",
  example: "rewards set-dept ana-souza management",
  args: {
    username: { type: "positional", required: true, description: "Whom" },
    dept: { type: "positional", required: true, description: `Department; "management" makes a superuser` },
    ...fileArgs,
  },
  async run({ username, dept, ...args }, around) {
    const user = await withApp(around, args, async ({ store, users }) =>
      users.changeDept(operatorOf(around), await userNamed(store, username), dept),
    )
    await around.print(`User ${user.username} is in ${visible(user.dept)} now`)
  },
})
