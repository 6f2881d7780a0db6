import type { User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"
import type { Programme } from "./model.ts"

/** Somebody who sees amounts; null for somebody who is not logged in. */
export type AmountsViewer = Pick<User, "id" | "dept"> | null

/** The part of the programme that this rule needs. */
export type AmountsShown = Pick<Programme, "amounts_shown">

/**
 * Whether the viewer sees amounts that concern nobody but the people with these ids. This rule is only here: feed, wall,
 * streams, notifications, people, teams, leaderboards and messages in chats ask it. Superusers see all amounts. The insights and
 * the accounts, for those who have these duties, do not ask.
 */
export const seesAmounts = (
  viewer: AmountsViewer,
  concerned: readonly number[],
  { amounts_shown }: AmountsShown,
): boolean =>
  amounts_shown === "everyone" || (viewer !== null && (isSuperuser(viewer) || concerned.includes(viewer.id)))
