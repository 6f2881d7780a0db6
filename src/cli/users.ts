import { grantToOperator } from "../domain/auth/access.ts"
import { DomainError } from "../domain/errors.ts"
import { defaultCurrency } from "../domain/people/fields.ts"
import { isActive, type User } from "../domain/people/model.ts"
import { operatorOf, userArg, userNamed, withApp, withNewApp, withOperator } from "./support/app.ts"
import { argument, flag, option } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { Refusal, UsageError } from "./support/failures.ts"
import { json, readNewPassword, readSecret, table, visible } from "./support/terminal.ts"

/** Creates a user (docs/interface/command-line.md). */
export const createUser = command({
  name: "create-user",
  description: "Create a user",
  example: `rewards create-user "Ana Souza" ana@example.com - sales`,
  args: {
    name: argument("Full name"),
    email: argument("E-mail address"),
    password: argument("Password, or - to read it from standard input"),
    dept: argument(`Department; "management" makes a superuser`),
    username: option("NAME", "Username, instead of one made from the full name"),
    currency: { ...option("CODE", "Currency"), default: defaultCurrency },
    ...fileArgs,
  },
  async run({ name, email, password: given, dept, username, currency, ...args }, context) {
    const password = given === "-" ? await readSecret(context, `Password of ${visible(name)}:`) : given
    const user = await withNewApp(context, args, ({ store, users }) =>
      users
        .create(operatorOf(context), { name, email, password, dept, username, currency })
        .catch(async (error: unknown) => explained(error, await store.users.byEmail(email))),
    )
    await context.print(`User ${user.username} created`)
  },
})

/** Names the cause, which the fixed message of the HTTP interface hides. */
function explained(error: unknown, owner: User | null): never {
  if (error instanceof DomainError && error.code === "integrity")
    throw new Refusal(`${error.message}: this e-mail address is taken${owner === null ? "" : ` by ${owner.username}`}`)
  throw error
}

const columns = ["name", "username", "dept", "email", "currency"] as const

/**
 * Prints the users in the order of their creation (docs/interface/command-line.md), and with --all also which of them
 * are active.
 */
export const userList = command({
  name: "user-list",
  description: "List the users",
  example: "rewards user-list --json",
  args: {
    all: flag("Also list inactive accounts, and say which are active"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ all, ...args }, context) {
    const users = await withApp(context, args, ({ store }) => store.users.list())
    const listed = all ? users : users.filter(isActive)
    const shown = listed.map((user) => {
      const { name, username, dept, email, currency } = user
      return { name, username, dept, email, currency, ...(all && { active: isActive(user) }) }
    })
    const rows = shown.map(({ active, ...user }) => [
      ...columns.map((column) => user[column]),
      ...(all ? [active ? "yes" : "no"] : []),
    ])
    await context.print(args.json ? json(shown) : table([...columns, ...(all ? ["active"] : [])], rows))
  },
})

export const userSetDept = command({
  name: "user set-dept",
  description: "Move a user to another department",
  example: "rewards user set-dept ana-souza management",
  args: {
    username: userArg,
    dept: argument(`Department; "management" makes a superuser`),
    ...fileArgs,
  },
  async run({ username, dept, ...args }, context) {
    const user = await withApp(context, args, async ({ store, users }) =>
      users.correct(operatorOf(context), await userNamed(store, username), { dept }),
    )
    await context.print(`User ${user.username} is now in ${visible(user.dept)}`)
  },
})

/** Changes a username, of somebody who marries for example. */
export const userRename = command({
  name: "user rename",
  description: "Give a user another username; the former one is nobody else's for a year",
  example: "rewards user rename ana-souza ana-costa",
  args: {
    username: userArg,
    new: argument("The new username"),
    ...fileArgs,
  },
  async run({ username, new: renamed, ...args }, context) {
    const { before, user } = await withApp(context, args, async ({ store, users }) => {
      const before = await userNamed(store, username)
      return { before, user: await users.correct(operatorOf(context), before, { username: renamed }) }
    })
    await context.print(`User ${visible(before.username)} is now ${visible(user.username)}`)
  },
})

/** Sets the days that are celebrated. */
export const userSetDays = command({
  name: "user set-days",
  description: "Set the days on which a user is celebrated",
  example: "rewards user set-days ana-souza --joined 2024-03-01 --birthday 05-14",
  args: {
    username: userArg,
    birthday: option("MM-DD", "Birthday, without the year; none removes it"),
    joined: option("DAY", "First day at work, YYYY-MM-DD; none removes it"),
    ...fileArgs,
  },
  async run({ username, birthday, joined, ...args }, context) {
    if (birthday === undefined && joined === undefined) throw new UsageError("give --birthday, --joined or both")
    const correction = { birthday: dayOrNone(birthday), joined: dayOrNone(joined) }
    const user = await withApp(context, args, async ({ store, users }) =>
      users.correct(operatorOf(context), await userNamed(store, username), correction),
    )
    await context.print(
      `User ${visible(user.username)}: birthday ${user.birthday ?? "none"}, joined ${user.joined ?? "none"}`,
    )
  },
})

const dayOrNone = (given: string | undefined) => (given === "none" ? null : given)

export const userSetManager = command({
  name: "user set-manager",
  description: "Say whom a user reports to",
  example: "rewards user set-manager ana-souza bruno-lima",
  args: {
    username: userArg,
    manager: argument("Username of the manager; none removes the manager"),
    ...fileArgs,
  },
  async run({ username, manager, ...args }, context) {
    const named = manager === "none" ? null : manager
    const user = await withApp(context, args, async ({ store, users }) =>
      users.correct(operatorOf(context), await userNamed(store, username), { manager: named }),
    )
    await context.print(`User ${visible(user.username)} now reports to ${named === null ? "nobody" : visible(named)}`)
  },
})

/** Sends the link of an invitation again. */
export const userInvite = command({
  name: "user invite",
  description: "Invite a user again who never logged in, or all of them",
  example: "rewards user invite --all",
  args: {
    username: { ...userArg, required: false },
    all: flag("Everybody who never logged in"),
    ...fileArgs,
  },
  async run({ username, all = false, ...args }, context) {
    if (all === (username !== undefined)) throw new UsageError("name a user, or give --all")
    const count = await withOperator(context, args, async ({ store, invitations }, by) =>
      username === undefined ? invitations.inviteAll(by) : invitations.invite(by, await userNamed(store, username)),
    )
    await context.print(
      `${count === 1 ? "1 invitation is" : `${count} invitations are`} due; \`rewards serve\` sends them`,
    )
  },
})

/** Sets a user's password, which ends every session and token of that user. */
export const userSetPassword = command({
  name: "user set-password",
  description: "Set a user's password and log that user out everywhere",
  example: "rewards user set-password ana-souza",
  args: {
    username: userArg,
    password: {
      type: "positional",
      required: false,
      description: "The new password; without it, or with -, it is read from standard input",
    },
    ...fileArgs,
  },
  async run({ username, password = "-", ...args }, context) {
    const chosen =
      password === "-" ? await readNewPassword(context, visible(username)) : { password, confirmation: password }
    const operator = operatorOf(context)
    const user = await withApp(context, args, async ({ store, passwords }) =>
      passwords.change(grantToOperator(await userNamed(store, username), operator.who), chosen, operator),
    )
    await context.print(`Password of ${user.username} set; all sessions and tokens of this user have ended`)
  },
})

/** Deactivates a user who leaves, which ends all access. */
export const userDeactivate = command({
  name: "user deactivate",
  description: "Deactivate the account of somebody who leaves",
  example: "rewards user deactivate ana-souza --return-points",
  args: {
    username: userArg,
    "return-points": flag("Move what is left of the balance to admin"),
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

export const userReactivate = command({
  name: "user reactivate",
  description: "Reactivate a deactivated account",
  example: "rewards user reactivate ana-souza",
  args: {
    username: userArg,
    ...fileArgs,
  },
  async run({ username, ...args }, context) {
    const user = await withApp(context, args, async ({ store, leavers }) =>
      leavers.reactivate(operatorOf(context), await userNamed(store, username)),
    )
    await context.print(`User ${visible(user.username)} is active again, with the old password`)
  },
})
