import type { App } from "../app.ts"
import { DomainError } from "../domain/errors.ts"
import type { Reversal } from "../domain/ledger/reversals.ts"
import { type Operator, operatorOf, withApp } from "./support/app.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { UsageError } from "./support/failures.ts"
import { json, visible } from "./support/output.ts"

/** Takes points of a transaction back from its receiver. */
export const reverse = command({
  name: "reverse",
  description: "Take points of a transaction back from its receiver",
  example: `rewards reverse 1042 --reason "meant for another Ana"`,
  args: {
    id: { type: "positional", required: true, description: "The id of the transaction" },
    value: { type: "string", valueHint: "N", description: "How many points; without it, all that are left" },
    reason: { type: "string", valueHint: "TEXT", description: "Reason, stored with the reversal" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ id, value, reason, ...args }, context) {
    if (!/^\d{1,16}$/.test(id)) throw new UsageError("ID must be the id of a transaction")
    if (value !== undefined && !/^-?\d+$/.test(value)) throw new UsageError("--value must be an integer")
    if (reason === undefined) throw new UsageError("say why with --reason")
    const points = value === undefined ? undefined : Number(value)
    const done = await withApp(context, args, (app) =>
      takeBack(app, operatorOf(context), { id: Number(id), value: points, reason }),
    )
    await context.print(args.json ? json(shown(done)) : sentence(done))
  },
})

interface Asked {
  readonly id: number
  readonly value: number | undefined
  readonly reason: string
}

async function takeBack({ reversals, store }: App, by: Operator, { id, value, reason }: Asked): Promise<Reversal> {
  const original = await store.ledger.entry(id)
  if (!original) throw new DomainError("transaction_not_found")
  return reversals.reverse({ original, value, reason, by, superuser: null })
}

const shown = ({ id, reverses, value, sender, receiver }: Reversal) => ({
  id,
  reverses,
  value,
  from: sender.username,
  to: receiver.username,
})

const sentence = ({ id, reverses, value, sender, receiver }: Reversal): string =>
  `Transaction ${id}: ${value} of transaction ${reverses} taken back from ${visible(sender.username)}, returned to ${visible(receiver.username)}`
