import { operatorOf, userArg, userNamed, withApp } from "./support/app.ts"
import { flag } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { counted, isoTime, json, table, visible } from "./support/terminal.ts"

const columns = ["username", "opened", "from", "expires"] as const

/** Prints the cookie sessions that have not expired. */
export const sessionList = command({
  name: "session list",
  description: "List the open cookie sessions",
  example: "rewards session list ana-souza",
  args: {
    username: { ...userArg, required: false, description: "Only the sessions of this user" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ username, ...args }, context) {
    const sessions = await withApp(context, args, async ({ store }) => {
      const user = username === undefined ? null : await userNamed(store, username)
      return store.sessions.list(user?.username ?? null, context.now())
    })
    const shown = sessions.map(({ username, openedAt, address, expiresAt }) => ({
      username,
      opened: openedAt === null ? null : isoTime(openedAt),
      from: address,
      expires: isoTime(expiresAt),
    }))
    const rows = shown.map((session) => columns.map((column) => session[column] ?? ""))
    await context.print(args.json ? json(shown) : table(columns, rows))
  },
})

/** Ends the cookie sessions of a user, or of every user, and all tokens except service tokens, at once. */
export const sessionRevoke = command({
  name: "session revoke",
  description: "End every session and token of a user, or of all users, except service tokens",
  example: "rewards session revoke ana-souza",
  args: {
    username: { ...userArg, required: false },
    all: flag("All users"),
    ...fileArgs,
  },
  async run({ username, all, ...args }, context) {
    if ((username === undefined) !== (all === true)) throw new UsageError("give either USERNAME or --all")
    const { target, count } = await withApp(context, args, async ({ store, users }) => {
      const target = username === undefined ? null : await userNamed(store, username)
      return { target, count: await users.endAccess(operatorOf(context), target) }
    })
    await context.print(
      `Ended ${counted(count, "session")} and all tokens of ${target?.username ?? "all users"}, except service tokens (rewards token list)`,
    )
  },
})

/** Removes the link between a user and an account at the provider, for somebody who got another account there. */
export const userUnlink = command({
  name: "user unlink",
  description: "Unlink a user from their account at the single sign-on provider",
  example: "rewards user unlink ana-souza",
  args: {
    username: userArg,
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

/** Removes the second factors and recovery codes of somebody who lost them all. */
export const userResetSecondFactor = command({
  name: "user reset-second-factor",
  description: "Remove a user's second factors and log that user out everywhere",
  example: "rewards user reset-second-factor ana-souza",
  args: {
    username: userArg,
    ...fileArgs,
  },
  async run({ username, ...args }, context) {
    const { user, removed } = await withApp(context, args, async ({ store, secondFactors }) => {
      const user = await userNamed(store, username)
      return { user, removed: await secondFactors.reset(operatorOf(context), user) }
    })
    await context.print(
      `Removed ${counted(removed, "second factor")} of ${user.username}; all sessions and tokens of this user have ended`,
    )
  },
})
