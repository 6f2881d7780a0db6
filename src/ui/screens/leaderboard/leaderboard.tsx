import { useLocation } from "preact-iso"
import { addresses } from "../../addresses.ts"
import { now } from "../../dates/now.ts"
import { Choice } from "../../parts/choice.tsx"
import { Unloaded } from "../../parts/unloaded.tsx"
import { useTitle } from "../../parts/use-title.ts"
import { withQuery } from "../../query.ts"
import type { Place } from "../../screens.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { question } from "../../server/question.ts"
import { t } from "../../texts/texts.ts"
import { Own } from "./own.tsx"
import { formatSpan } from "./span.ts"
import { Standings, StandingsSkeleton } from "./standings.tsx"

const periods = ["week", "month", "quarter", "year", "all"] as const
const sides = ["received", "sent"] as const

interface Asked {
  readonly period: (typeof periods)[number]
  readonly by: (typeof sides)[number]
}

/** What stands there when the address says nothing. */
const usual: Asked = { period: "month", by: "received" }

const askedOf = (query: Place["query"]): Asked => ({
  period: periods.find((one) => one === query.period) ?? usual.period,
  by: sides.find((one) => one === query.by) ?? usual.by,
})

const size = "20"

const useLeaderboard = question((asked: Asked) => ask(api.api.v1.leaderboard.get({ query: { ...asked, size } })))

export type LeaderboardTold = NonNullable<ReturnType<typeof useLeaderboard>["data"]>

/** Who received or gave most in a period, and where one stands oneself. */
export function Leaderboard() {
  const { leaderboard } = t()
  const { query } = useLocation()
  const asked = askedOf(query)
  const { period, by } = asked
  const { data, failure, isLate, refresh } = useLeaderboard(asked)
  useTitle(`${leaderboard.title}: ${leaderboard[by]}, ${leaderboard[period]}`)
  const addressOf = (asked: Asked) =>
    withQuery(addresses.leaderboard, {
      period: asked.period === usual.period ? undefined : asked.period,
      by: asked.by === usual.by ? undefined : asked.by,
    })

  return (
    <>
      <h1 class="text-xl font-semibold tracking-tight">{leaderboard.title}</h1>
      <div class="mt-4 flex flex-wrap justify-between gap-x-8 gap-y-1">
        <Choice
          label={leaderboard.period}
          options={periods.map((one) => ({ name: leaderboard[one], address: addressOf({ period: one, by }) }))}
          chosen={addressOf({ period, by })}
        />
        <Choice
          label={leaderboard.by}
          options={sides.map((one) => ({ name: leaderboard[one], address: addressOf({ period, by: one }) }))}
          chosen={addressOf({ period, by })}
        />
      </div>
      <div class="mt-4" aria-busy={isLate}>
        {failure !== null ? (
          <Unloaded failure={failure} onRetry={refresh} />
        ) : data === null ? (
          <StandingsSkeleton />
        ) : (
          <>
            <p class="min-h-5 text-sm text-muted">{formatSpan(data, now.value)}</p>
            <Own of={data} />
            {data.shows === "all" ? <Standings of={data} /> : <p class="mt-4 text-muted">{leaderboard.hidden}</p>}
          </>
        )}
      </div>
    </>
  )
}

Leaderboard.ahead = ({ query }: Place) => useLeaderboard.ahead(askedOf(query))
