import { auditEntry } from "../audit/audit-log.ts"
import type { Clock } from "../clock.ts"
import { DomainError } from "../errors.ts"
import { requireMaintainer } from "../people/maintainers.ts"
import { type ErasedReasons, isActive, type User } from "../people/model.ts"
import { type Actor, requireSuperuser } from "../people/roles.ts"
import { adminUsername, checkActive, theAdmin } from "../people/users.ts"
import type { Store } from "../store.ts"
import { checkTransfer } from "./ledger.ts"
import type { TransactionKind } from "./model.ts"

/**
 * How many times the balance is read, in case points come or go meanwhile, and when to retry after that, in seconds.
 */
const maxAttempts = 10
const retryAfterSeconds = 5

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "users">
  readonly clock: Clock
  /** A hash that matches no password. */
  readonly unusableHash: string
}

/** The name of all erased people. */
const erasedName = "Former colleague"

export type Leavers = ReturnType<typeof createLeavers>

/** People who leave (docs/interface/administration.md): nobody is deleted, because the ledger names them. */
export function createLeavers({ store, clock, unusableHash }: Dependencies) {
  return {
    /**
     * Deactivates an account: ends all access and all duties of `target` at once, in all processes. With `returnPoints`, the rest of
     * the balance goes to `admin` in the same commit. For an inactive account, only points are returned.
     * @throws DomainError `not_superuser`, `invalid` (`admin`), `unwritable` (the balance kept changing meanwhile)
     */
    async deactivate(actor: Actor, target: User, { returnPoints }: { returnPoints: boolean }): Promise<User> {
      requireMaintainer(actor, target)
      checkActive(target, false)
      if (!returnPoints) return isActive(target) ? withoutPoints(actor, target) : target
      const admin = await theAdmin(store.users)
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const value = await store.users.balanceOf(target.id)
        if (value > 0 && (await returned(actor, { target, admin, value }))) return current(target)
        if (value > 0) continue
        const left = isActive(target) ? await withoutPoints(actor, target) : target
        if ((await store.users.balanceOf(target.id)) <= 0) return left // no points arrived before the deactivation
      }
      throw new DomainError("unwritable", { retryAfterSeconds })
    },

    /**
     * Reactivates an account. The password is the same as before; earlier sessions and tokens stay ended.
     * @throws DomainError `not_superuser`, `erased`
     */
    async reactivate(actor: Actor, target: User): Promise<User> {
      requireMaintainer(actor, target)
      checkActive(target, true)
      if (isActive(target)) return target
      const entry = auditEntry(actor, clock(), "user_reactivated", {
        whom: target.username,
        before: { active: false },
        after: { active: true },
      })
      return store.users.setActive(target.id, null, entry)
    },

    /**
     * Erases the data stored about `target`, for good. The ledger keeps the transactions, with a placeholder for the
     * person.
     * @throws DomainError `not_superuser`, `still_active`
     */
    async erase(actor: Actor, target: User, reasons: ErasedReasons): Promise<User> {
      requireSuperuser(actor)
      if (isActive(target)) throw new DomainError("still_active")
      const at = Math.max(clock(), target.deactivatedAt ?? 0) // the clock may have been set back since
      const username = target.erasedAt === null ? await placeholderFor(target) : target.username
      const replacement = { username, name: erasedName, email: `${username}@erased.invalid`, password: unusableHash }
      const entry = auditEntry(actor, at, "user_erased", { whom: username, detail: `reasons: ${reasons}` })
      await store.users.erase(target.id, { at, replacement, reasons }, entry)
      return current(replacement)
    },
  }

  /** A username that nobody has. */
  async function placeholderFor({ id }: User): Promise<string> {
    for (let username = `erased-${id}`; ; username = `erased-${id}-${crypto.randomUUID().slice(0, 8)}`)
      if (!(await store.users.byUsername(username))) return username
  }

  function withoutPoints(actor: Actor, target: User): Promise<User> {
    const now = clock()
    const detail = target.duties.length === 0 ? null : dutiesEnded(target)
    return store.users.setActive(
      target.id,
      now,
      auditEntry(actor, now, "user_deactivated", { whom: target.username, detail, ...ended(target) }),
    )
  }

  /** False, with nothing changed, when the balance has changed meanwhile. */
  async function returned(
    actor: Actor,
    { target, admin, value }: { readonly target: User; readonly admin: User; readonly value: number },
  ): Promise<boolean> {
    const date = clock()
    const refund = { kind: "refund", senderId: target.id, receiverId: admin.id, value, date } as const
    const details = [
      `${value} returned to ${adminUsername}`,
      ...(target.duties.length === 0 ? [] : [dutiesEnded(target)]),
    ]
    const about = { whom: target.username, detail: details.join("; "), ...ended(target) }
    try {
      await store.ledger.postLast(
        refund,
        (balances) => {
          if (balances.sender !== value) throw new BalanceMoved()
          checkTransfer({ sender: target, receiver: admin, value }, balances)
        },
        auditEntry(actor, date, "user_deactivated", about),
      )
      return true
    } catch (error) {
      if (error instanceof BalanceMoved) return false
      throw error
    }
  }

  async function current({ username }: Pick<User, "username">): Promise<User> {
    const user = await store.users.byUsername(username)
    if (!user) throw new DomainError("user_not_found")
    return user
  }
}

/** What a deactivation changes, for the audit log. */
const ended = (target: User) => ({
  before: { active: isActive(target), duties: target.duties },
  after: { active: false, duties: [] },
})

const dutiesEnded = ({ duties }: User): string => `ended duties: ${duties.join(", ")}`

/** Kinds in which people who have left may take part. */
const kindsWithLeavers: readonly TransactionKind[] = ["reversal", "refund"]

/**
 * Refuses a transaction of people who have left since their request was checked. Stores call this while the ledger is
 * locked; deactivating an account waits for that lock.
 * @throws DomainError `bad_credentials` for the sender, whose credentials have ended; `user_not_found` for the receiver
 */
export function checkStillActive(
  kind: TransactionKind,
  sender: { readonly isActive: boolean },
  receiver: { readonly isActive: boolean },
): void {
  if (kindsWithLeavers.includes(kind)) return
  if (!sender.isActive) throw new DomainError("bad_credentials")
  if (!receiver.isActive) throw new DomainError("user_not_found")
}

/** Points came or went between reading the balance and the commit. */
class BalanceMoved extends Error {}
