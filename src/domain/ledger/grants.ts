import { auditEntry } from "../audit-log.ts"
import { DomainError, invalid } from "../errors.ts"
import type { BalanceOf, Clock, Origin, PostResult, User } from "../model.ts"
import { usernameKey } from "../people/fields.ts"
import { inSlices } from "../slices.ts"
import type { Store } from "../store.ts"
import { idempotencyKeyOf } from "./idempotency.ts"
import { checkTransfer, checkValue, type GroupTransfer } from "./ledger.ts"
import { checkedNote, type NoteRequest } from "./notes.ts"
import type { TransferLimit } from "./transfer-limit.ts"

/** Of one grant. All of them are in one commit, which keeps every other writer waiting. */
export const maxReceivers = 5_000
/** Departments that one grant may name. */
export const maxDepts = 100

/** The body of POST /api/v1/grants. */
export interface GrantRequest {
  /** Points that each of them gets. */
  readonly value: number
  readonly usernames?: readonly string[] | undefined
  /** Everybody in these departments, but for the giver. */
  readonly depts?: readonly string[] | undefined
  readonly note?: NoteRequest
  /** As in idempotency.ts; null or absent: none. */
  readonly idempotencyKey?: string | null
  /** Who gives in the giver's name, as the command line does; leaves an audit entry in the same commit. */
  readonly onBehalfBy?: Origin
}

export interface Grant {
  /** Each once: those who are named in their order, then each department's by id. */
  readonly receivers: readonly User[]
  readonly value: number
  readonly total: number
  /** What the giver has behind it. */
  readonly left: number
  /** Of the transactions, in the order of the receivers; of a preview none. */
  readonly ids: readonly number[]
  /** Done earlier under the same idempotency key; nothing was done now. */
  readonly replayed: boolean
  /** Why it would be refused, in the words of the refusals; empty when nothing stands against it. */
  readonly against: readonly string[]
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "users">
  readonly clock: Clock
  readonly limit: TransferLimit
  /** The setting `recognition.tags`. */
  readonly tags: readonly string[]
}

export type Grants = ReturnType<typeof createGrants>

/** One value from one giver to many receivers. Whoever may send points to one may send them to many. */
export function createGrants({ store, clock, limit, tags }: Dependencies) {
  return {
    /**
     * What `give` would do, and what stands against it; nothing is changed.
     * @throws DomainError `invalid` (`value`, or what goes with it)
     */
    async preview(giver: User, request: GrantRequest): Promise<Grant> {
      checkValue(request.value)
      if (request.note) checkedNote(request.note, tags)
      const { receivers, faults, transfer } = await asked(giver, request)
      const balanceOf = await store.users.balancesOf([giver, ...receivers].map(({ id }) => id))
      return {
        ...summed(transfer),
        left: balanceOf(giver.id) - movedBy(transfer),
        ids: [],
        replayed: false,
        against: [...faults, ...refusalsOf(transfer, balanceOf)].map(({ message }) => message),
      }
    },

    /**
     * Gives to all of them in one commit, or to nobody; resolves once it is durable. The giver's balance must cover
     * the sum, by the rule of a single transfer. Under an idempotency key that this giver used within a day it does
     * nothing more and answers as it did then, whoever is in the departments now; the limit refuses no such replay.
     * @throws DomainError `user_not_found` (naming all who are unknown), `invalid`, `insufficient_balance`,
     *   `balance_out_of_range`, `key_reused`, `too_many_transfers`
     */
    async give(giver: User, request: GrantRequest): Promise<Grant> {
      const { value, usernames, depts, note: said, idempotencyKey: key = null, onBehalfBy } = request
      checkValue(value)
      const date = clock()
      const note = said && checkedNote(said, tags)
      const once = key === null ? undefined : idempotencyKeyOf(key, { usernames, depts, value, note }, date)
      const waitSeconds = limit(giver)
      const replay = once && (await store.ledger.findReplay(giver.id, once, date))
      if (replay) return given(value, replay)
      if (waitSeconds > 0) throw new DomainError("too_many_transfers", undefined, waitSeconds)

      const { receivers, faults, transfer } = await asked(giver, request)
      for (const fault of faults) throw fault
      const posted = await store.ledger.postAll(
        receivers.map(({ id }) => ({ senderId: giver.id, receiverId: id, value, date, note })),
        (balanceOf) => checkTransfer(transfer, balanceOf),
        once,
        onBehalfBy && auditEntry(onBehalfBy, date, "points_granted", { detail: told(transfer) }),
      )
      return given(value, posted)
    },
  }

  async function given(value: number, { transactions, balance, replayed }: PostResult): Promise<Grant> {
    const receivers = await store.users.byIds(transactions.map(({ receiverId }) => receiverId))
    const ids = transactions.map(({ id }) => id)
    return { receivers, value, total: value * receivers.length, left: balance, ids, replayed, against: [] }
  }

  async function asked(giver: User, { value, usernames = [], depts = [] }: GrantRequest) {
    const { named, unknown } = usernames.length > maxReceivers ? nobody : await findAll(usernames)
    const { members, empty } = depts.length > maxDepts ? noDept : await findMembers(depts, giver)
    const receivers = eachOnce([...named, ...members])
    const faults = [
      ...(unknown.length > 0 ? [new DomainError("user_not_found", `User not found: ${unknown.join(", ")}`)] : []),
      ...(Math.max(receivers.length, usernames.length) > maxReceivers ? [tooMany()] : []),
      ...(depts.length > maxDepts ? [invalid("depts", `at most ${maxDepts}`)] : []),
      ...(empty.length > 0 ? [nobodyElse(empty, depts.length)] : []),
      ...(usernames.length + depts.length === 0 ? [tooFew()] : []),
    ]
    return { receivers, faults, transfer: { sender: giver, receivers, value } }
  }

  async function findAll(usernames: readonly string[]) {
    const named: User[] = []
    const unknown = new Set<string>()
    for await (const username of inSlices(usernames)) {
      const user = await store.users.byUsername(usernameKey(username))
      if (user) named.push(user)
      else unknown.add(username)
    }
    return { named, unknown: [...unknown] }
  }

  /** Everybody in these departments but the giver; `empty` numbers the departments, from 1, in which nobody else is. */
  async function findMembers(depts: readonly string[], giver: User) {
    const members: User[] = []
    const empty: number[] = []
    for (const [index, dept] of depts.entries()) {
      const others = (await store.users.inDept(dept, maxReceivers + 1)).filter(({ id }) => id !== giver.id)
      members.push(...others)
      if (others.length === 0) empty.push(index + 1)
      if (members.length > maxReceivers) break
    }
    return { members, empty }
  }
}

const nobody = { named: [], unknown: [] }
const noDept = { members: [], empty: [] }

const eachOnce = (users: readonly User[]): User[] => [...new Map(users.map((user) => [user.id, user])).values()]

const tooMany = () => invalid("usernames", `with the department at most ${maxReceivers} receivers`)

const nobodyElse = (empty: readonly number[], given: number) =>
  given === 1
    ? invalid("dept", "nobody else is in this department")
    : invalid("depts", `nobody else is in number ${empty.join(", ")}`)

const tooFew = () => invalid("usernames", "at least one receiver, here or by department")

const summed = ({ receivers, value }: GroupTransfer) => ({ receivers, value, total: value * receivers.length })

const told = ({ receivers, value }: GroupTransfer): string =>
  `${value} each to ${receivers.length}, ${value * receivers.length} in all`

/** What leaves the balance: to oneself nothing moves. */
const movedBy = ({ sender, receivers, value }: GroupTransfer): number =>
  value * receivers.filter(({ id }) => id !== sender.id).length

function refusalsOf(transfer: GroupTransfer, balanceOf: BalanceOf): DomainError[] {
  try {
    checkTransfer(transfer, balanceOf)
    return []
  } catch (error) {
    if (error instanceof DomainError) return [error]
    throw error
  }
}
