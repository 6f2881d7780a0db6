import { type AuditLog, auditEntry } from "../audit/audit-log.ts"
import type { Calendar } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import type { TransactionRecord } from "../ledger/model.ts"
import { asSeenBy } from "../ledger/reason-readers.ts"
import { type Referenced, withReferences } from "../ledger/references.ts"
import { filterOf, type TransactionFilter } from "../ledger/transaction-list.ts"
import { type Duty, daysShown, type PersonalSlice, type User, type UserWithBalance } from "../people/model.ts"
import { type Actor, hasDuty, isSuperuser, requireDuty } from "../people/roles.ts"
import type { Redemption } from "../rewards/model.ts"
import type { Store } from "../store.ts"
import type { ExportStore } from "./ports.ts"

/** A transaction with the present names and departments of sender and receiver. */
export interface ExportedTransaction extends Referenced<TransactionRecord> {
  readonly sender: Pick<User, "name" | "dept">
  readonly receiver: Pick<User, "name" | "dept">
}

/** What the file of users has of each. */
export interface ExportedUser extends UserWithBalance {
  /** The username of the manager; null for nobody. */
  readonly manager: string | null
}

/** How many redemptions are read at once. */
const redemptionsAtOnce = 500

interface Dependencies {
  readonly store: Pick<Store, "exports" | "references" | "rewards" | "users">
  readonly clock: Clock
  readonly calendar: Calendar
  readonly auditLog: Pick<AuditLog, "record">
}

/** Exports for spreadsheets and other programs (docs/interface/administration.md). Exporting the data of others is
 *  recorded in the audit log. */
export function createExports({ store, clock, calendar, auditLog }: Dependencies) {
  return {
    /**
     * The transactions that `target` sent or received; `access.toHistory` decides who may read them. Without a target: all
     * transactions for a superuser or the operator, otherwise the actor's own. Reasons that the actor may not read are
     * empty.
     * @throws DomainError `invalid`, naming the parameter
     */
    async transactions(actor: Actor, target: User | null, query: TransactionFilter) {
      const viewerId = actor.user?.id ?? null
      const filter = filterOf(viewerId, query, calendar)
      const owner = target ?? (actor.user === null || isSuperuser(actor.user) ? null : actor.user)
      if (owner === null || owner.id !== actor.user?.id) await record(actor, "transactions", owner)
      const visible = owner === null ? {} : { participantId: owner.id }
      return withPeople(store.exports.transactions({ ...visible, ...filter }), filter, actor.user)
    },

    /** Everything stored about `target`, for the legal right of access: one list after the other, each in slices. The
     *  guard `toData` decides who may read it. */
    async personalData(actor: Actor, target: User): Promise<AsyncGenerator<PersonalSlice, void>> {
      if (target.id !== actor.user?.id) await record(actor, "personal data", target)
      return personalSlices(target)
    },

    /** All users, with their balances. Those who do not maintain accounts get only the days that everybody sees.
     *  @throws DomainError `not_superuser` */
    async users(actor: Actor) {
      requireDuty(actor, "insights")
      await record(actor, "users", null)
      return withManagers(store.exports.users(), isFor(actor, "people") ? (user) => user : withoutHiddenDays)
    },

    /** All redemptions, newest first; without what people write to each other about them, such as where to send something, for
     *  those who do not answer requests.
     *  @throws DomainError `not_superuser` */
    async redemptions(actor: Actor) {
      requireDuty(actor, "rewards", "insights")
      await record(actor, "redemptions", null)
      return redemptionSlices(isFor(actor, "rewards") ? (redemption) => redemption : withoutWords)
    },
  }

  async function* personalSlices(target: User): AsyncGenerator<PersonalSlice, void> {
    yield* store.exports.personalRows(target)
    yield { list: "transactions", rows: [] }
    for await (const slice of store.exports.transactions({ participantId: target.id }))
      yield { list: "transactions", rows: slice.map((transaction) => asSeenBy(target.id, transaction)) }
  }

  async function* withManagers(
    slices: ReturnType<ExportStore["users"]>,
    shown: (user: UserWithBalance) => UserWithBalance,
  ): AsyncGenerator<ExportedUser[], void> {
    const usernames = new Map<number, string>()
    for await (const slice of slices) {
      for (const { id, username } of slice) usernames.set(id, username)
      const missing = new Set(slice.flatMap(({ managerId }) => managerId ?? [])).difference(usernames)
      for (const { id, username } of await store.users.byIds([...missing])) usernames.set(id, username)
      yield slice.map((user) => ({
        ...shown(user),
        manager: user.managerId === null ? null : (usernames.get(user.managerId) ?? null),
      }))
    }
  }

  async function* redemptionSlices(shown: (one: Redemption) => Redemption): AsyncGenerator<Redemption[], void> {
    for (let before: number | undefined; ; ) {
      const slice = await store.rewards.redemptions({ before, limit: redemptionsAtOnce })
      if (slice.length === 0) return
      yield slice.map(shown)
      before = slice.at(-1)?.id
    }
  }

  function record(actor: Actor, detail: string, whom: User | null): Promise<void> {
    return auditLog.record(auditEntry(actor, clock(), "exported", { detail, whom: whom?.username ?? null }))
  }

  async function* withPeople(
    slices: ReturnType<ExportStore["transactions"]>,
    { kind, since = 0, until = Number.POSITIVE_INFINITY, noteMatches }: ReturnType<typeof filterOf>,
    viewer: User | null,
  ): AsyncGenerator<readonly ExportedTransaction[], void> {
    const people = new Map<number, User>()
    for await (const slice of slices) {
      const kept = slice.filter(
        ({ note, ...one }) =>
          (kind === undefined || one.kind === kind) &&
          one.date >= since &&
          one.date < until &&
          (noteMatches === undefined || (note !== undefined && noteMatches({ ...one, note }))),
      )
      const ids = new Set(kept.flatMap(({ senderId, receiverId }) => [senderId, receiverId]))
      for (const user of await store.users.byIds([...ids].filter((id) => !people.has(id)))) people.set(user.id, user)
      yield (await withReferences(store, viewer, kept)).map((transaction) => ({
        ...asSeenBy(viewer?.id ?? null, transaction),
        sender: personIn(people, transaction.senderId),
        receiver: personIn(people, transaction.receiverId),
      }))
    }
  }
}

/** Whether a file is for somebody with this duty, a superuser, or the operator. */
const isFor = ({ user }: Actor, duty: Duty): boolean => user === null || hasDuty(user, duty)

const withoutHiddenDays = (user: UserWithBalance): UserWithBalance => ({ ...user, ...daysShown(user) })

const withoutWords = (redemption: Redemption): Redemption => ({ ...redemption, comment: null, answer: null })

function personIn(people: ReadonlyMap<number, User>, id: number): User {
  const person = people.get(id)
  if (!person) throw new Error(`user ${id}, whom a transaction names, is missing`)
  return person
}
