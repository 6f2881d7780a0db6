import { operatorOf, userNamed, withApp } from "./support/app.ts"
import { command, fileArgs } from "./support/command.ts"
import { visible } from "./support/output.ts"

/** Ends all access of somebody who leaves. */
export const deactivate = command({
  name: "deactivate",
  description: "Deactivate the account of somebody who leaves",
  example: "rewards deactivate ana-souza --return-points",
  args: {
    username: { type: "positional", required: true, description: "The user" },
    "return-points": { type: "boolean", description: "Move what is left of the balance to admin" },
    ...fileArgs,
  },
  async run({ username, "return-points": returnPoints = false, ...args }, context) {
    const { user, returned } = await withApp(context, args, async ({ store, leavers }) => {
      const target = await userNamed(store, username)
      const before = await store.users.balanceOf(target.id)
      const user = await leavers.deactivate(operatorOf(context), target, { returnPoints })
      return { user, returned: before - (await store.users.balanceOf(target.id)) }
    })
    const points = returnPoints ? `; ${returned} returned to admin` : ""
    await context.print(`User ${visible(user.username)} is deactivated: sessions and tokens have ended${points}`)
  },
})

/** Takes a deactivation back. */
export const reactivate = command({
  name: "reactivate",
  description: "Reactivate a deactivated account",
  example: "rewards reactivate ana-souza",
  args: {
    username: { type: "positional", required: true, description: "The user" },
    ...fileArgs,
  },
  async run({ username, ...args }, context) {
    const user = await withApp(context, args, async ({ store, leavers }) =>
      leavers.reactivate(operatorOf(context), await userNamed(store, username)),
    )
    await context.print(`User ${visible(user.username)} is active again; the password is the one from before`)
  },
})
