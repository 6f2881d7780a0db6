import { account, me, programme } from "./session.ts"

/** What a superuser gave somebody to do. */
export type Duty = NonNullable<typeof account.value>["duties"][number]

export const isSuperuser = (): boolean => me.value?.role === "superuser"

/** Whether the programme shows the user the leaderboard; true until that is known, as for most. */
export function seesLeaderboard(): boolean {
  const readers = programme.value?.leaderboard ?? "everyone"
  return readers === "everyone" || (readers === "superusers" && isSuperuser())
}

/** Whether anybody reports to the user. */
export const isManager = (): boolean => (account.value?.reports ?? 0) > 0

/** Whether the user may read insights and the company's look back. */
export const readsInsights = (): boolean => isSuperuser() || account.value?.duties.includes("insights") === true
