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

/** Exports for spreadsheets and other programs (docs/interface.md, "Administration"). Exporting the data of others is
 *  recorded in the audit log. */
export function createExports({ store, clock, auditLog }: Dependencies) {
  return {
    /**
     * What `target` sent or received; call `access.toHistory` first. Without a target: all transactions for a superuser or
     * the operator, otherwise the actor's own. Reasons that the actor may not read are empty.
     */
    async transactions(actor: Actor, target: User | null, { user, from_user }: ExportQuery) {
      const owner = target ?? (actor.user === null || isSuperuser(actor.user) ? null : actor.user)
      if (owner === null || owner.id !== actor.user?.id) await record(actor, "transactions", owner)
      const slices = store.exports.transactions({
        ...(owner !== null && { participantId: owner.id }),
        ...(user !== undefined && { receiver: usernameKey(user) }),
        ...(from_user !== undefined && { sender: usernameKey(from_user) }),
      })
      return eachAsSeenBy(slices, actor.user?.id ?? null)
    },

    /** All users, with their balances.
     *  @throws DomainError `not_superuser` */
    async users(actor: Actor) {
      requireSuperuser(actor)
      await record(actor, "users", null)
      return store.exports.users()
    },
  }

  function record(actor: Actor, detail: string, whom: User | null): Promise<void> {
    return auditLog.record(auditEntry(actor, clock(), "exported", { detail, whom: whom?.username ?? null }))
  }
}

async function* eachAsSeenBy(slices: ReturnType<ExportStore["transactions"]>, viewerId: number | null) {
  for await (const slice of slices) yield slice.map((transaction) => asSeenBy(viewerId, transaction))
}
