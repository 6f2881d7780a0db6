import { forgot } from "../app/forgot.ts"
import { history } from "../app/history.ts"
import { leaderboard } from "../app/leaderboard.ts"
import { recap } from "../app/recap.ts"
import { team } from "../app/team.ts"
import { wall } from "../app/wall.ts"

/** Texts of screens that share them with no other. */
export const texts = { forgot, history, leaderboard, recap, team, wall }
