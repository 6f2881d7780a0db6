import type { App } from "../app.ts"
import type { User } from "../domain/model.ts"
import { adminUsername } from "../domain/people/users.ts"
import { type Operator, operatorOf, userNamed, withApp } from "./support/app.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { json } from "./support/output.ts"

/** Sends points from `admin` and prints both balances before and after (docs/interface.md, "Command line"). */
export const transaction = command({
  name: "transaction",
  description: "Send points from admin to a user",
  example: "rewards transaction ana-souza 100",
  args: {
    username: { type: "positional", required: true, description: "The receiver" },
    value: { type: "positional", required: true, description: "How many points" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ username, value, ...args }, context) {
    if (!/^-?\d+$/.test(value)) throw new UsageError("VALUE must be an integer")
    const changes = await withApp(context, args, (app) => send(app, operatorOf(context), username, Number(value)))
    const lines = changes.map((change) => `${change.username}: ${change.before} -> ${change.after}`)
    await context.print(args.json ? json(changes) : lines.join("\n"))
  },
})

/** Points. */
interface Change {
  readonly username: string
  readonly before: number
  readonly after: number
}

async function send({ ledger, store }: App, operator: Operator, username: string, value: number): Promise<Change[]> {
  const sender = await userNamed(store, adminUsername)
  const receiver = await userNamed(store, username)
  const parties = sender.id === receiver.id ? [sender] : [sender, receiver]
  const before = await balancesOf(parties)
  await ledger.sendPoints({ sender, receiver, value, operator })
  const after = await balancesOf(parties)
  return parties.map((user, index) => ({
    username: user.username,
    before: before[index] ?? 0,
    after: after[index] ?? 0,
  }))

  function balancesOf(users: readonly User[]): Promise<number[]> {
    return Promise.all(users.map(({ id }) => store.users.balanceOf(id)))
  }
}
