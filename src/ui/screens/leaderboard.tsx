import { useLocation } from "preact-iso"
import { addresses, personAddress, withQuery } from "../addresses.ts"
import { now, parseDate, serviceFormatOf } from "../dates.tsx"
import { Avatar } from "../parts/avatar.tsx"
import { Choice } from "../parts/choice.tsx"
import { Empty, LoadFailure, Skeleton } from "../parts/placeholders.tsx"
import { type ScreenLocation, useTitle } from "../screen.ts"
import { api, request } from "../server/api.ts"
import { createQuery } from "../server/query.ts"
import { me } from "../session.ts"
import { fill, formatNumber, formatOrdinal, formatPlural, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

const periods = ["week", "month", "quarter", "year", "all"] as const
const sides = ["received", "sent"] as const

interface LeaderboardOptions {
  readonly period: (typeof periods)[number]
  readonly by: (typeof sides)[number]
}

/** Used where the address has no parameter. */
const defaults: LeaderboardOptions = { period: "month", by: "received" }

const optionsOf = (query: ScreenLocation["query"]): LeaderboardOptions => ({
  period: periods.find((one) => one === query.period) ?? defaults.period,
  by: sides.find((one) => one === query.by) ?? defaults.by,
})

const size = "20"

const useLeaderboard = createQuery((options: LeaderboardOptions) =>
  request(api.api.v1.leaderboard.get({ query: { ...options, size } })),
)

type LeaderboardData = NonNullable<ReturnType<typeof useLeaderboard>["data"]>

/** Who received or sent most in a period, and the user's own rank. */
export function Leaderboard() {
  const { leaderboard } = t()
  const { query } = useLocation()
  const options = optionsOf(query)
  const { period, by } = options
  const { data, failure, isStale, refresh } = useLeaderboard(options)
  useTitle(`${leaderboard.title}: ${leaderboard[by]}, ${leaderboard[period]}`)
  const addressOf = (options: LeaderboardOptions) =>
    withQuery(addresses.leaderboard, {
      period: options.period === defaults.period ? undefined : options.period,
      by: options.by === defaults.by ? undefined : options.by,
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
      <div class="mt-4" aria-busy={isStale}>
        {failure !== null ? (
          <LoadFailure failure={failure} onRetry={refresh} />
        ) : data === null ? (
          <RankingSkeleton />
        ) : (
          <>
            <p class="min-h-5 text-sm text-muted">{formatSpan(data, now.value)}</p>
            <OwnRank of={data} />
            {data.shows === "all" ? <Ranking of={data} /> : <p class="mt-4 text-muted">{leaderboard.hidden}</p>}
          </>
        )}
      </div>
    </>
  )
}

Leaderboard.prefetch = ({ query }: ScreenLocation) => useLeaderboard.prefetch(optionsOf(query))

/** The user's own rank, if the list does not contain it. */
function OwnRank({ of: { items, own, shows } }: { of: LeaderboardData }) {
  const { leaderboard } = t()
  const isListed = shows === "all" && items.some(({ username }) => username === me.value?.username)
  if (isListed || (shows === "all" && items.length === 0)) return null
  return (
    <p class="mt-4 rounded-box bg-primary/8 px-4 py-3">
      {own.rank === null
        ? leaderboard.ownNone
        : fill(leaderboard.own, { rank: formatOrdinal(own.rank), points: formatPoints(own.points) })}
    </p>
  )
}

function Ranking({ of: { items } }: { of: LeaderboardData }) {
  const { leaderboard } = t()
  const most = items[0]?.points ?? 0
  if (items.length === 0) return <Nobody />
  return (
    <table class="mt-3 w-full border-separate border-spacing-0">
      <caption class="sr-only">{leaderboard.title}</caption>
      <thead class="sr-only">
        <tr>
          <th scope="col">{leaderboard.rank}</th>
          <th scope="col">{leaderboard.person}</th>
          <th scope="col">{leaderboard.points}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <RankingRow key={one.username} of={one} share={one.points / most} />
        ))}
      </tbody>
    </table>
  )
}

interface RankingRowProps {
  readonly of: LeaderboardData["items"][number]
  /** The share of the first place's points, from 0 to 1. */
  readonly share: number
}

function RankingRow({ of: { rank, username, name, dept, avatar, points, count }, share }: RankingRowProps) {
  const { leaderboard } = t()
  const isOwn = username === me.value?.username
  return (
    <tr class={`group ${isOwn ? "[&>td]:bg-primary/8" : "hover:[&>td]:bg-base-300/50"}`}>
      <td class="w-10 rounded-s-field py-2 text-center align-middle text-sm text-muted tabular-nums">
        <span class={rank === 1 ? "font-semibold text-primary" : ""}>{rank !== null && formatNumber(rank)}</span>
      </td>
      <td class="py-2 ps-2">
        <a href={personAddress(username)} class="flex min-h-11 items-center gap-3 rounded-field">
          <Avatar name={name} username={username} src={avatar} />
          <span class="min-w-0 grow">
            <span class="flex flex-wrap items-baseline gap-x-2">
              <span dir="auto" class="font-medium">
                {name}
              </span>
              {isOwn && <span class="text-sm text-primary">{leaderboard.you}</span>}
              <span dir="auto" class="text-sm text-muted max-sm:hidden">
                {dept}
              </span>
            </span>
            <span class="mt-1.5 block h-1 overflow-hidden rounded-full bg-base-content/8" aria-hidden="true">
              <span class="block h-full rounded-full bg-primary/60" style={{ width: `${100 * share}%` }} />
            </span>
          </span>
        </a>
      </td>
      <td class="w-px rounded-e-field py-2 ps-4 pe-3 text-end align-middle whitespace-nowrap tabular-nums">
        <span class="block font-semibold">{formatNumber(points)}</span>
        <span class="block text-xs text-muted">{formatPlural(count, leaderboard.times)}</span>
      </td>
    </tr>
  )
}

function Nobody() {
  const { leaderboard } = t()
  return (
    <Empty drawing="podium">
      <p>{leaderboard.nobody}</p>
      <a href={addresses.home} class="btn btn-primary font-medium">
        {leaderboard.thank}
      </a>
    </Empty>
  )
}

function RankingSkeleton() {
  return (
    <div class="mt-8">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} class="flex min-h-15 items-center gap-3 py-2 ps-12 pe-3">
          <Skeleton class="size-10 rounded-full" />
          <Skeleton class="h-3.5 grow" />
          <Skeleton class="h-4 w-12" />
        </div>
      ))}
    </div>
  )
}

const years = serviceFormatOf({ year: "numeric" })
const spans = serviceFormatOf({ day: "numeric", month: "long" })
const spansOfYears = serviceFormatOf({ day: "numeric", month: "long", year: "numeric" })

interface Span {
  readonly period: string
  /** Null for the period without bounds. */
  readonly start: string | null
  /** Exclusive. */
  readonly end: string | null
}

/** `1 – 30 November`, in the service's time zone; with the year if it differs from the year of `now`. */
function formatSpan({ start, end }: Span, now: number): string {
  if (start === null || end === null) return t().leaderboard.ever
  const [first, last] = [parseDate(start), parseDate(end) - 1]
  const isThisYear = years().format(first) === years().format(now)
  return (isThisYear ? spans : spansOfYears)().formatRange(first, last)
}
