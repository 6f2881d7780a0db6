import { type AuditLog, auditEntry } from "../audit-log.ts"
import { type Actor, isSuperuser, requireSuperuser } from "../auth/roles.ts"
import type { Clock, ExportQuery, User } from "../model.ts"
import { asSeenBy } from "../recognition/recognitions.ts"
import type { ExportStore, Store } from "../store.ts"
import { usernameKey } from "./fields.ts"

interface Dependencies {
  readonly store: Pick<Store, "exports">
  readonly clock: Clock
  readonly auditLog: Pick<AuditLog, "record">
}

export type Exports = ReturnType<typeof createExports>

/** Everything at once, for spreadsheets and other programs. Whoever takes more than the own leaves an entry. */
export function createExports({ store, clock, auditLog }: Dependencies) {
  return {
    /**
     * What `target` sent or received, who comes from `access.toHistory`; without one everything for a superuser and
     * the operator, else the caller's own. Private reasons are read by the two alone.
     */
    async transactions(actor: Actor, target: User | null, { user, from_user }: ExportQuery) {
      const owner = target ?? (actor.user === null || isSuperuser(actor.user) ? null : actor.user)
      if (owner === null || owner.id !== actor.user?.id) await note(actor, "transactions", owner)
      const slices = store.exports.transactions({
        ...(owner !== null && { participantId: owner.id }),
        ...(user !== undefined && { receiver: usernameKey(user) }),
        ...(from_user !== undefined && { sender: usernameKey(from_user) }),
      })
      return asSeen(slices, actor.user?.id ?? null)
    },

    /** @throws DomainError `not_superuser` */
    async users(actor: Actor) {
      requireSuperuser(actor)
      await note(actor, "users", null)
      return store.exports.users()
    },
  }

  function note(actor: Actor, detail: string, whom: User | null): Promise<void> {
    return auditLog.record(auditEntry(actor, clock(), "exported", { detail, whom: whom?.username ?? null }))
  }
}

async function* asSeen(slices: ReturnType<ExportStore["transactions"]>, viewerId: number | null) {
  for await (const slice of slices) yield slice.map((one) => asSeenBy(viewerId, one))
}
