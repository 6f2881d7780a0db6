import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import { isSuperuser } from "../../../domain/auth/roles.ts"
import { invalid } from "../../../domain/errors.ts"
import { periods } from "../../../domain/model.ts"
import { sides } from "../../../domain/recognition/leaderboard.ts"
import { credentials, describe, one } from "../../documented.ts"
import type { doors } from "../../guards.ts"
import { LeaderQuery, StatsQuery } from "../../v1/schemas.ts"
import { dayView, leaderboardView, ownDayView } from "../../v1/views.ts"

interface Dependencies {
  readonly app: Pick<App, "access" | "statistics">
  readonly door: ReturnType<typeof doors>
}

const scopes = ["own", "all"] as const

/** Leaderboards, and points a day for charts. */
export function figureRoutes({ app: { access, statistics }, door }: Dependencies) {
  return new Elysia()
    .use(door)
    .get(
      "/api/v1/leaderboard",
      async ({ caller, query: { period = "month", by = "received", size } }) => {
        const asked = { period: oneOf(periods, "period", period), by: oneOf(sides, "by", by), size: numbered(size) }
        return leaderboardView(await statistics.leaderboard(caller.user, asked))
      },
      {
        members: true,
        query: LeaderQuery,
        detail: describe("Figures", "Who received or sent most", 200, one("Leaderboard"), [...credentials, "invalid"]),
      },
    )
    .get(
      "/api/v1/stats",
      async ({ caller, query: { username, scope, days } }) => {
        const byDefault = isSuperuser(caller.user) && username === undefined ? "all" : "own"
        if (oneOf(scopes, "scope", scope ?? byDefault) === "all")
          return { scope: "all", days: (await statistics.daysOfAll(caller.user, numbered(days))).map(dayView) }
        const whose = username === undefined ? caller.user : await access.toHistory(caller, username)
        return { scope: "own", days: (await statistics.daysOf(whose, numbered(days))).map(ownDayView) }
      },
      {
        members: true,
        query: StatsQuery,
        detail: describe("Figures", "Points a day", 200, { oneOf: [one("OwnDays"), one("AllDays")] }, [
          ...credentials,
          "not_superuser",
          "not_own_transactions",
          "user_not_found",
          "invalid",
        ]),
      },
    )
}

/** @throws DomainError `invalid` */
function oneOf<const T extends string>(words: readonly T[], field: string, given: string): T {
  const word = words.find((known) => known === given)
  if (word === undefined) throw invalid(field, `one of ${words.join(", ")}`)
  return word
}

const numbered = (text: string | undefined) => (text === undefined ? undefined : Number(text))
