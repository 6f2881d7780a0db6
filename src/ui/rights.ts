import { addresses } from "./addresses.ts"
import { management } from "./people.ts"
import { account, me, programme } from "./session.ts"

/** What a superuser gave somebody to do. */
export type Duty = NonNullable<typeof account.value>["duties"][number]

export const isSuperuser = (): boolean => me.value?.role === "superuser"

/** Whether the user may do what one of these duties is for. Superusers may do everything. */
export const hasDuty = (...duties: readonly Duty[]): boolean =>
  isSuperuser() || (account.value?.duties.some((duty) => duties.includes(duty)) ?? false)

/** The duties that open a screen of the administration. The other screens are for superusers alone. */
const openedBy: Readonly<Record<string, readonly Duty[]>> = {
  [addresses.admin]: ["insights", "rewards", "people", "programme"],
  [addresses.adminNew]: ["people"],
  [addresses.adminImport]: ["people"],
  [addresses.account]: ["people"],
  [addresses.adminRewards]: ["rewards"],
  [addresses.adminInsights]: ["insights"],
  [addresses.adminProgramme]: ["programme"],
  [addresses.adminAllowances]: ["programme"],
  [addresses.adminDepartments]: ["programme"],
}

/** The duties that open a screen of the administration; none: it is for superusers alone. */
export const dutiesFor = (address: string): readonly Duty[] => openedBy[address] ?? []

/** Whether a screen of the administration is for the user. */
export const mayOpen = (address: string): boolean => hasDuty(...dutiesFor(address))

/** Whether the user may correct this account: with the duty `people` not a superuser's, and not the own one. */
export const mayMaintain = ({ username, dept }: { readonly username: string; readonly dept: string }): boolean =>
  isSuperuser() || (hasDuty("people") && dept !== management && username !== me.value?.username)

/** Whether the programme shows the user the leaderboard; true until that is known, as for most. */
export function seesLeaderboard(): boolean {
  const readers = programme.value?.leaderboard ?? "everyone"
  return readers === "everyone" || (readers === "superusers" && isSuperuser())
}

/** Whether anybody reports to the user. */
export const isManager = (): boolean => (account.value?.reports ?? 0) > 0
