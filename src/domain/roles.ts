import { DomainError } from "./errors.ts"
import type { User } from "./store.ts"

/** The department whose members are superusers (contract, "What the service does" 2). */
export const managementDept = "management"

/** Who acts: a user over HTTP, or whoever may run the command line on this machine. */
export type Actor = User | "operator"

export const isSuperuser = (user: Pick<User, "dept">): boolean => user.dept === managementDept

/** @throws DomainError `not_superuser` */
export function requireSuperuser(actor: Actor): void {
  if (actor !== "operator" && !isSuperuser(actor)) throw new DomainError("not_superuser")
}
