import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { dayText, periods } from "../../../domain/calendar.ts"
import { isSuperuser } from "../../../domain/people/roles.ts"
import { defaultLeaders, type Leaderboard, maxLeaders, sides } from "../../../domain/recognition/leaderboards.ts"
import type { DayTotals } from "../../../domain/recognition/model.ts"
import { type DaySum, defaultDays, maxDays } from "../../../domain/recognition/statistics.ts"
import { wordOf } from "../../../domain/text.ts"
import { utc } from "../../../formats/views/dates.ts"
import { faceView } from "../../../formats/views/people.ts"
import type { Dependencies } from "../../dependencies.ts"
import { anyOfRefs, operation } from "../../openapi-operations.ts"
import { numberOf, oneOf, protectedQuery, sizeUpTo, text } from "../../schemas.ts"
import { dateOrNull, face, shownSum, sum } from "./common-fields.ts"

const scopes = ["own", "all"] as const

/** Leaderboards, and points per day for charts. */
export function statisticsRoutes({ app: { access, statistics }, guards }: Dependencies<"access" | "statistics">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/leaderboard",
      async ({ caller, query: { period = "month", by = "received", size } }) => {
        const asked = { period: wordOf("period", periods, period), by: wordOf("by", sides, by), size: numberOf(size) }
        return leaderboardView(await statistics.leaderboard(caller.user, asked))
      },
      {
        authenticated: "read",
        query: LeaderQuery,
        detail: operation(
          "Figures",
          "Who received or sent most, for those to whom the programme shows it",
          200,
          "Leaderboard",
          ["no_leaderboard", "not_superuser"],
        ),
      },
    )
    .get(
      "/api/v1/stats",
      async ({ request: { signal }, caller, query: { username, scope, days } }) => {
        const byDefault = isSuperuser(caller.user) && username === undefined ? "all" : "own"
        if (wordOf("scope", scopes, scope ?? byDefault) === "all")
          return { scope: "all", days: (await statistics.daysOfAll(caller.user, numberOf(days))).map(dayView) }
        const whose = username === undefined ? caller.user : await access.toHistory(caller, username)
        return { scope: "own", days: (await statistics.daysOf(whose, numberOf(days), signal)).map(ownDayView) }
      },
      {
        authenticated: "read",
        query: StatsQuery,
        detail: operation("Figures", "Points a day", 200, anyOfRefs("OwnDays", "AllDays"), [
          "not_superuser",
          "not_own_transactions",
          "user_not_found",
        ]),
      },
    )
}

const oneOfByDefault = (words: readonly string[], byDefault: string) =>
  oneOf(words, `one of ${words.join(", ")}; by default ${byDefault}`, byDefault)

const LeaderQuery = protectedQuery({
  period: Type.Optional(oneOfByDefault(periods, "month")),
  by: Type.Optional(oneOfByDefault(sides, "received")),
  size: Type.Optional(sizeUpTo(maxLeaders, defaultLeaders)),
})
const StatsQuery = protectedQuery({
  days: Type.Optional(sizeUpTo(maxDays, defaultDays)),
  scope: Type.Optional(oneOf(scopes, "own or all; only superusers may ask for all, which is their default")),
  username: Type.Optional(text("the days of this user (oneself, superusers); scope is then own by default")),
})

const words = (known: readonly string[]) => Type.Union(known.map((word) => Type.Literal(word)))
const day = Type.String({ description: "in the time zone of the service", examples: ["2026-11-21"] })

export const statisticsComponents = {
  Leaderboard: Type.Object({
    period: words(periods),
    by: words(sides),
    shows: Type.Union([Type.Literal("all"), Type.Literal("own")], {
      description: "`own`: others' points are hidden, and `items` holds only the caller",
    }),
    start: dateOrNull("UTC; null for `all`"),
    end: dateOrNull("UTC, not within; null for `all`"),
    items: Type.Array(Type.Object({ ...shownSum, rank: Type.Integer(), ...face })),
    own: Type.Object({
      ...sum,
      rank: Type.Union([Type.Integer(), Type.Null()], { description: "null without points" }),
      people: Type.Integer({ description: "how many different people thanked the caller, or were thanked" }),
    }),
  }),
  OwnDays: Type.Object({
    scope: Type.Literal("own"),
    days: Type.Array(
      Type.Object({
        day,
        received: Type.Object(sum),
        sent: Type.Object(sum),
        balance: Type.Integer({ description: "balance at the end of the day" }),
      }),
    ),
  }),
  AllDays: Type.Object({ scope: Type.Literal("all"), days: Type.Array(Type.Object({ day, ...sum })) }),
}

const leaderboardView = ({ period, by, span, shows, items, own }: Leaderboard) => ({
  period,
  by,
  shows,
  start: Number.isFinite(span.start) ? utc(span.start) : null,
  end: Number.isFinite(span.end) ? utc(span.end) : null,
  items: items.map(({ person, rank, points, count }) => ({ rank, points, count, ...faceView(person) })),
  own: { rank: own.rank, points: own.points, count: own.count, people: own.people },
})

const ownDayView = ({ day, received, receivedCount, sent, sentCount, balance }: DayTotals) => ({
  day: dayText(day),
  received: { points: received, count: receivedCount },
  sent: { points: sent, count: sentCount },
  balance,
})

const dayView = ({ day, points, count }: DaySum) => ({ day: dayText(day), points, count })
