import { auditEntry } from "../audit/audit-log.ts"
import type { Origin } from "../audit/ports.ts"
import { DomainError, invalid, usersNotFound } from "../errors.ts"
import { checkedIdempotencyKey } from "../idempotency/idempotency.ts"
import { usernameKey } from "../people/fields.ts"
import { type PersonSummary, takesPart, type User } from "../people/model.ts"
import type { Programme } from "../programme/model.ts"
import type { Store } from "../store.ts"
import { inTimeSlices } from "../ticks.ts"
import { checkBalances, checkCovered, checkValue, type SendingDependencies, type Transfers } from "./ledger.ts"
import type { Note, PostResult, Reference } from "./model.ts"
import { checkAllowed, checkedNote, checkTags, type NoteRequest } from "./notes.ts"
import { budgetOf } from "./pockets.ts"

/** Receivers of one grant. All its transactions are in one commit, which every other writer waits for. */
export const maxReceivers = 5_000
/** Departments that one grant may name. */
export const maxDepts = 100

/** The body of POST /api/v1/grants, not yet checked. */
export interface GrantRequest {
  /** Points for each receiver. */
  readonly value: number
  readonly usernames?: readonly string[] | undefined
  /** Everybody in these departments except the sender. */
  readonly depts?: readonly string[] | undefined
  readonly note?: NoteRequest
  readonly idempotencyKey?: string | null
  readonly reference?: Reference | undefined
  /** Set when an operator sends in the sender's name over the command line: adds an audit entry to the commit. */
  readonly operator?: Origin
}

export interface Grant {
  /** Without duplicates: first the named users, in their order, then the members of each department, by id. */
  readonly receivers: readonly PersonSummary[]
  /** Points for each receiver. */
  readonly value: number
  /** Points for all receivers together. */
  readonly total: number
  /** The sender's balance after the grant. */
  readonly left: number
  /** Ids of the transactions, in the order of the receivers; none in a preview. */
  readonly ids: readonly number[]
  /** True when an earlier request under the same idempotency key or reference made the grant; this one moved nothing. */
  readonly replayed: boolean
  /** In a preview: why the grant would be refused, as messages of errors. Otherwise empty. */
  readonly refusals: readonly DomainError[]
}

interface Dependencies extends SendingDependencies {
  readonly store: Pick<Store, "ledger" | "people" | "references" | "users">
}

/** Sends the same value to many receivers, all or nothing (docs/interface/recognition.md). Open to every user. */
export function createGrants({ store, clock, requestLimitOf, programme: programmeOf, mostToOneOf }: Dependencies) {
  return {
    /**
     * Shows what `give` would do, and why it would be refused. Changes nothing.
     * @throws DomainError `invalid` (value or note)
     */
    async preview(sender: User, request: GrantRequest): Promise<Grant> {
      const { value } = request
      checkValue(value)
      const programme = await programmeOf()
      checkNote(request, checkedNote(request.note), programme)
      const { ids, errors } = await receiversOf(sender, request)
      const receivers = await store.people.summaries(ids)
      const transfers = { sender, receivers, value }
      const balanceOf = await store.users.balancesOf([sender.id, ...ids])
      const budget = budgetOf(sender, await store.users.pocketsOf(sender.id))
      const refusals = refusalsBy(() => checkBalances(transfers, balanceOf, budget, programme.give_from))
      return {
        receivers,
        value,
        total: totalOf(transfers),
        left: balanceOf(sender.id) - leavingBalance(transfers),
        ids: [],
        replayed: false,
        refusals: [...errors, ...refusals],
      }
    },

    /**
     * Sends the value to all receivers in one commit, or to nobody; resolves once that is durable. The sender's balance
     * must cover the total. A request under an idempotency key that the sender has used within a day is a replay, and so
     * is one with a reference that the sender has ever used: it moves nothing and returns the first grant, even if the
     * departments or the tags have changed, and even beyond the transfer limit.
     * @throws DomainError `user_not_found` (naming all unknown usernames), `invalid`, `insufficient_balance`,
     *   `balance_out_of_range`, `key_reused`, `reference_reused`, `too_many_transfers`, `most_to_one`
     */
    async give(sender: User, request: GrantRequest): Promise<Grant> {
      const { value, usernames, depts, reference, operator } = request
      checkValue(value)
      const sentBefore = reference && (await store.references.findReplay(sender.id, reference))
      if (sentBefore) return grantOf(value, sentBefore)
      const note = checkedNote(request.note)
      const programme = await programmeOf()
      const date = clock()
      const sent = { usernames, depts, value, note, reference: reference?.name }
      const key = checkedIdempotencyKey(request.idempotencyKey, sent, date)

      const replay = key && (await store.ledger.findReplay(sender.id, key, date))
      if (replay) return grantOf(value, replay)

      const { ids, errors } = await receiversOf(sender, request)
      for (const error of errors) throw error
      const transfers = { sender, receivers: ids.map((id) => ({ id })), value }
      // The check inside the lock decides. This one saves the lock, and all other balances, for what it refuses anyway.
      const pockets = await store.users.pocketsOf(sender.id)
      checkCovered(transfers, pockets.balance, budgetOf(sender, pockets), programme.give_from)
      const posted = await store.ledger.postAll(
        ids.map((id) => ({ kind: "grant" as const, senderId: sender.id, receiverId: id, value, date, note })),
        (balanceOf, budget) => {
          checkNote(request, note, programme)
          checkBalances(transfers, balanceOf, budget, programme.give_from)
        },
        {
          idempotencyKey: key,
          reference,
          audit: operator && auditEntry(operator, date, "points_granted", { detail: summaryOf(transfers) }),
          limit: requestLimitOf(sender),
          mostToOne: mostToOneOf(sender, programme, date),
        },
      )
      return grantOf(value, posted)
    },
  }

  async function grantOf(value: number, { transactions, balance, replayed }: PostResult): Promise<Grant> {
    const receivers = await store.people.summaries(transactions.map(({ receiverId }) => receiverId))
    const ids = transactions.map(({ id }) => id)
    return { receivers, value, total: value * receivers.length, left: balance, ids, replayed, refusals: [] }
  }

  /** Ids of the named users and of the members of the departments, and every error in the names of users and departments. */
  async function receiversOf(sender: User, { usernames = [], depts = [] }: GrantRequest) {
    const { found, unknown } = usernames.length > maxReceivers ? { found: [], unknown: [] } : await findUsers(usernames)
    const { members, empty } = depts.length > maxDepts ? { members: [], empty: [] } : await findMembers(depts, sender)
    const ids = [...new Set([...found, ...members])]
    const errors: DomainError[] = []
    if (unknown.length > 0) errors.push(usersNotFound("usernames", unknown))
    if (Math.max(ids.length, usernames.length) > maxReceivers)
      errors.push(invalid("usernames", `at most ${maxReceivers} receivers, members of the departments included`))
    if (depts.length > maxDepts) errors.push(invalid("depts", `at most ${maxDepts}`))
    if (empty.length > 0) errors.push(nobodyElseIn(empty, depts.length))
    if (usernames.length + depts.length === 0)
      errors.push(invalid("usernames", "at least one receiver, here or by department"))
    return { ids, errors }
  }

  async function findUsers(usernames: readonly string[]) {
    const found: number[] = []
    const unknown = new Set<string>()
    for await (const username of inTimeSlices(usernames)) {
      const user = await store.users.byUsername(usernameKey(username))
      if (takesPart(user)) found.push(user.id)
      else unknown.add(username)
    }
    return { found, unknown: [...unknown] }
  }

  /** Everybody in these departments except the sender. `empty`: the positions, from 1, of departments with nobody else. */
  async function findMembers(depts: readonly string[], sender: User) {
    const members: number[] = []
    const empty: number[] = []
    for (const [index, dept] of depts.entries()) {
      const others = (await store.users.idsInDept(dept, maxReceivers + 1)).filter((id) => id !== sender.id)
      members.push(...others)
      if (others.length === 0) empty.push(index + 1)
      if (members.length > maxReceivers) break
    }
    return { members, empty }
  }
}

/** Names the departments by position, because `invalid` never repeats a value. */
const nobodyElseIn = (positions: readonly number[], given: number) =>
  given === 1
    ? invalid("dept", "nobody else is in this department")
    : invalid("depts", `nobody else is in number ${positions.join(", ")}`)

const totalOf = ({ receivers, value }: Transfers): number => value * receivers.length

/** The points that leave the sender's balance: points that senders send to themselves stay in it. */
const leavingBalance = ({ sender, receivers, value }: Transfers): number =>
  value * receivers.filter(({ id }) => id !== sender.id).length

const summaryOf = (transfers: Transfers): string =>
  `${transfers.value} each to ${transfers.receivers.length}, ${totalOf(transfers)} in all`

/** An operator needs no reason and no tag, whatever the programme says. @throws DomainError `invalid` */
function checkNote({ operator }: GrantRequest, note: Note | undefined, programme: Programme): void {
  if (operator) checkTags(note, programme.tags)
  else checkAllowed(note, programme)
}

function refusalsBy(check: () => void): DomainError[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof DomainError) return [error]
    throw error
  }
}
