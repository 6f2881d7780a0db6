import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { question } from "../../server/question.ts"
import type { View } from "./view.ts"

type Asked = Pick<View, "username" | "days">

/** Points a day of one person, with the balance; of everybody without. */
export const useDays = question(({ username, days }: Asked) =>
  ask(
    api.api.v1.stats.get({
      query: { days: String(days), ...(username === null ? { scope: "all" } : { username }) },
    }),
  ),
)

export const daysAsked = ({ username, days }: View): Asked => ({ username, days })

export type DaysTold = NonNullable<ReturnType<typeof useDays>["data"]>

/** A day in UTC, as charts and tables have it. */
export interface Day {
  readonly day: string
  /** Null where it is everybody's. */
  readonly balance: number | null
  readonly received: number | null
  readonly given: number
  readonly count: number
}

export const daysIn = ({ days }: DaysTold): Day[] =>
  days.map((one) =>
    "balance" in one
      ? {
          day: one.day,
          balance: one.balance,
          received: one.received.points,
          given: one.sent.points,
          count: one.received.count + one.sent.count,
        }
      : { day: one.day, balance: null, received: null, given: one.points, count: one.count },
  )
