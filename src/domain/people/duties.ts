import { invalid } from "../errors.ts"
import { type Duty, dutyNames, isActive, type User } from "./model.ts"
import { isSuperuser } from "./roles.ts"

/** Duties by their names, each once, in the order in which they are stored. @throws DomainError `invalid` */
export function checkedDuties(names: readonly string[]): readonly Duty[] {
  if (names.some((name) => !dutyNames.some((duty) => duty === name)))
    throw invalid("duties", `some of ${dutyNames.join(", ")}`)
  return dutyNames.filter((duty) => names.includes(duty))
}

/**
 * The duties that a correction leaves to somebody; undefined: those from before. Whoever becomes a superuser, or ends to be
 * one, has none unless the same correction gives some: nobody may get rights by a way back that nobody thinks of.
 * @throws DomainError `invalid`
 */
export function dutiesAfter(
  target: User,
  { dept, duties }: { readonly dept: string; readonly duties?: readonly string[] | undefined },
): readonly Duty[] | undefined {
  const changesRole = isSuperuser(target) !== isSuperuser({ dept })
  const after = duties === undefined ? (changesRole ? [] : target.duties) : checkedDuties(duties)
  if (after.length > 0 && isSuperuser({ dept })) throw invalid("duties", "superusers need none")
  if (duties !== undefined && after.length > 0 && !isActive(target))
    throw invalid("duties", "the account is not active; reactivate it first")
  return Bun.deepEquals(after, target.duties) ? undefined : after
}

/** The description of a change of duties in the audit log. */
export const dutiesChange = (before: Pick<User, "duties">, after: Pick<User, "duties">): string =>
  `${listed(before.duties)} -> ${listed(after.duties)}`

const listed = (duties: readonly Duty[]): string => (duties.length === 0 ? "none" : duties.join(", "))
