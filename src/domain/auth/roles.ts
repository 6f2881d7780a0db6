import { DomainError } from "../errors.ts"
import type { Origin, User } from "../model.ts"

/** The department whose members are superusers (contract, "What the service does" 2). */
export const managementDept = "management"

/** Who acts, and by which way in. Without a user it is whoever may run the command line on this machine. */
export interface Actor extends Origin {
  readonly user: User | null
}

export const isSuperuser = (user: Pick<User, "dept">): boolean => user.dept === managementDept

/** @throws DomainError `not_superuser` */
export function requireSuperuser({ user }: Pick<Actor, "user">): void {
  if (user !== null && !isSuperuser(user)) throw new DomainError("not_superuser")
}
