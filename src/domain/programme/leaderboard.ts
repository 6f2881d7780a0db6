import type { User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"
import type { Programme } from "./model.ts"

/** Whether this user sees who received or gave most. */
export const seesLeaderboard = (user: Pick<User, "dept">, { leaderboard }: Pick<Programme, "leaderboard">): boolean =>
  leaderboard === "everyone" || (leaderboard === "superusers" && isSuperuser(user))
