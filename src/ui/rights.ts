import { account, me } from "./session.ts"

export const isSuperuser = (): boolean => me.value?.role === "superuser"

/** Whether anybody reports to the user. */
export const isManager = (): boolean => (account.value?.reports ?? 0) > 0
