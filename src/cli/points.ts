import type { App } from "../app/app.ts"
import { DomainError } from "../domain/errors.ts"
import type { Grant, GrantRequest } from "../domain/ledger/grants.ts"
import type { TransferRequest } from "../domain/ledger/ledger.ts"
import type { NoteRequest } from "../domain/ledger/notes.ts"
import type { Reversal } from "../domain/ledger/reversals.ts"
import type { User } from "../domain/people/model.ts"
import { adminUsername } from "../domain/people/users.ts"
import { type Operator, operatorOf, userArg, userNamed, usernamesOf, withApp } from "./support/app.ts"
import { argument, flag, idArg, integerOf, listOption, option, partsOf } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { Refusal, UsageError } from "./support/failures.ts"
import { counted, json, visible } from "./support/terminal.ts"

const noteArgs = {
  reason: option("TEXT", "Reason, stored with each transaction"),
  tags: listOption("TAGS", "Tags, separated by commas; may be repeated"),
  private: flag("Show the reason only to sender and receiver"),
} as const

interface NoteArgs {
  readonly reason: string | undefined
  readonly tags: readonly string[]
  readonly private: boolean | undefined
}

function noteOf({ reason, tags, private: isPrivate }: NoteArgs): NoteRequest {
  if (isPrivate === true && (reason ?? "").trim() === "")
    throw new UsageError("--private hides the reason, so it needs --reason")
  return { reason, tags: tags.length === 0 ? undefined : partsOf(tags), private: isPrivate }
}

/** Sends points from `admin` and prints both balances before and after (docs/interface/command-line.md). */
export const transaction = command({
  name: "transaction",
  description: "Send points from admin to a user",
  example: `rewards transaction ana-souza 100 --reason "Thank you for the fair"`,
  args: {
    username: userArg,
    value: argument("How many points"),
    ...noteArgs,
    ...jsonArg,
    ...fileArgs,
  },
  async run({ username, value, ...args }, context) {
    const request = {
      value: integerOf("VALUE", value),
      note: noteOf(args),
      operator: operatorOf(context),
    }
    const changes = await withApp(context, args, (app) => send(app, username, request))
    const lines = changes.map((change) => `${change.username}: ${change.before} -> ${change.after}`)
    await context.print(args.json ? json(changes) : lines.join("\n"))
  },
})

/** A balance in points before and after a transfer. */
interface Change {
  readonly username: string
  readonly before: number
  readonly after: number
}

async function send(
  { ledger, store }: App,
  username: string,
  request: Pick<TransferRequest, "value" | "note" | "operator">,
): Promise<Change[]> {
  const sender = await userNamed(store, adminUsername)
  const receiver = await userNamed(store, username)
  const parties = sender.id === receiver.id ? [sender] : [sender, receiver]
  const before = await balancesOf(parties)
  await ledger.sendPoints({ sender, receiver, ...request, isContracts: true })
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

/** Sends the same number of points from `admin` to many users, all or nothing. */
export const pointsGrant = command({
  name: "points grant",
  description: "Send points from admin to many users, all or nothing",
  example: `rewards points grant 50 --to ana-souza,bruno-lima --dept support --reason "A quiet Christmas"`,
  args: {
    value: argument("Points for each of them"),
    to: listOption("NAMES", "Usernames or e-mail addresses, separated by commas; may be repeated"),
    dept: listOption("NAME", "Everybody of this department, except admin; may be repeated"),
    ...noteArgs,
    "dry-run": flag("Print who would get points, and change nothing"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ value, to, dept, ...args }, context) {
    const points = integerOf("VALUE", value)
    if (to.length + dept.length === 0) throw new UsageError("name the receivers with --to or --dept")
    const note = noteOf(args)
    const operator = operatorOf(context)
    const request = { value: points, usernames: partsOf(to), depts: dept, note, operator }
    const isDry = args["dry-run"] === true
    const done = await withApp(context, args, (app) => sendGrant(app, request, isDry))
    await context.print(args.json ? json(shownGrant(done)) : grantInWords(done, isDry))
  },
})

async function sendGrant({ grants, store }: App, named: GrantRequest, isDry: boolean): Promise<Grant> {
  const giver = await userNamed(store, adminUsername)
  const request = { ...named, usernames: await usernamesOf(store, named.usernames ?? []) }
  if (!isDry) return grants.give(giver, request).catch(explained)
  const preview = await grants.preview(giver, request)
  if (preview.refusals.length > 0) throw new Refusal(preview.refusals.map(({ message }) => visible(message)).join("\n"))
  return preview
}

/** Escapes the message, which may contain names as they were typed. */
function explained(error: unknown): never {
  throw error instanceof DomainError ? new Refusal(visible(error.message)) : error
}

const shownGrant = ({ receivers, value, total, left }: Grant) => ({
  receivers: receivers.map(({ username }) => username),
  value,
  total,
  left,
})

const grantInWords = ({ receivers, value, total, left }: Grant, isDry: boolean): string =>
  [
    ...receivers.map(({ username }) => `${visible(username)}: ${value}`),
    `${isDry ? "would be given" : "given"}: ${total} to ${counted(receivers.length, "user")}; ${adminUsername} ${
      isDry ? "would have" : "has"
    } ${left} left`,
  ].join("\n")

/** Reverses a transaction or part of it: takes points back from the receiver. */
export const pointsReverse = command({
  name: "points reverse",
  description: "Take points of a transaction back from its receiver, with a reason",
  example: `rewards points reverse 1042 --reason "meant for another Ana"`,
  args: {
    id: idArg("a transaction"),
    value: option("N", "How many points; without it, all that are left"),
    reason: option("TEXT", "Why they are taken back, stored with it; required"),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ id, value, reason, ...args }, context) {
    const points = value === undefined ? undefined : integerOf("--value", value)
    const done = await withApp(context, args, (app) =>
      takeBack(app, operatorOf(context), { id: Number(id), value: points, reason }),
    )
    await context.print(args.json ? json(shownReversal(done)) : reversalInWords(done))
  },
})

interface Asked {
  readonly id: number
  readonly value: number | undefined
  readonly reason: string | undefined
}

async function takeBack({ reversals, store }: App, by: Operator, { id, value, reason }: Asked): Promise<Reversal> {
  const original = await store.ledger.entry(id)
  if (!original) throw new DomainError("transaction_not_found")
  // Asked for last, because nobody needs a reason for a transaction that does not exist.
  if (reason === undefined) throw new UsageError("missing --reason TEXT")
  return reversals.reverse({ original, value, reason, by, superuser: null })
}

const shownReversal = ({ id, reverses, value, sender, receiver }: Reversal) => ({
  id,
  reverses,
  value,
  from: sender.username,
  to: receiver.username,
})

const reversalInWords = ({ id, reverses, value, sender, receiver }: Reversal): string =>
  `Transaction ${id}: ${value} of transaction ${reverses} taken back from ${visible(sender.username)}, returned to ${visible(receiver.username)}`
