import { Heart } from "lucide"
import { useLocation } from "preact-iso"
import { fill } from "../../languages/writing.ts"
import { addresses, personAddress, withQuery } from "../addresses.ts"
import { now, parseDate, serviceFormatOf } from "../dates.tsx"
import { focusTransferBox } from "../palette/commands.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Choice } from "../parts/choice.tsx"
import { Icon } from "../parts/icon.tsx"
import { Empty, LoadFailure, Skeleton } from "../parts/placeholders.tsx"
import { type ScreenLocation, useTitle } from "../screen.ts"
import { api, request } from "../server/api.ts"
import { createQuery } from "../server/query.ts"
import { me } from "../session.ts"
import { formatNumber, formatPlural, formatPoints } from "../texts/format.ts"
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

const onPodium = 3
/** The podium and ten rows. */
const size = "13"

const useLeaderboard = createQuery((options: LeaderboardOptions) =>
  request(api.api.v1.leaderboard.get({ query: { ...options, size } })),
)

type LeaderboardData = NonNullable<ReturnType<typeof useLeaderboard>["data"]>

/** Who received or sent most in a period, and what is true of the user. */
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
            {(data.items.length > 0 || data.shows === "own") && <OwnPart of={data} />}
            {data.shows === "all" ? <Ranking of={data} /> : <p class="mt-4 text-muted">{leaderboard.hidden}</p>}
          </>
        )}
      </div>
    </>
  )
}

Leaderboard.prefetch = ({ query }: ScreenLocation) => useLeaderboard.prefetch(optionsOf(query))

/**
 * What is true of everybody, however far down the list they are: how many people they have to do with. A rank far down
 * would only discourage.
 */
function OwnPart({ of: { own, by, period } }: { of: LeaderboardData }) {
  const { leaderboard } = t()
  const isReceived = by === "received"
  const inPeriod = leaderboard.inPeriod[period]
  const sentence = fill(formatPlural(own.people, isReceived ? leaderboard.thankedYou : leaderboard.youThanked), {
    period: inPeriod,
  })
  return (
    <p class="mt-3 flex flex-wrap items-center gap-x-3 gap-y-0.5 rounded-box bg-warm/8 px-4 py-3">
      <Icon of={Heart} class="size-5 text-warm" />
      {own.people === 0 ? (
        <>
          <span>{fill(isReceived ? leaderboard.ownNone : leaderboard.noneThanked, { period: inPeriod })}</span>
          <a href={addresses.home} onClick={focusTransferBox} class="link font-medium">
            {leaderboard.thank}
          </a>
        </>
      ) : (
        <>
          <span class="font-medium">{sentence}</span>
          <span class="text-sm text-muted tabular-nums">{formatPoints(own.points)}</span>
        </>
      )}
    </p>
  )
}

function Ranking({ of: { items } }: { of: LeaderboardData }) {
  const { leaderboard } = t()
  const most = items[0]?.points ?? null
  const rest = items.slice(onPodium)
  if (items.length === 0) return <Nobody />
  return (
    <>
      <Podium of={items.slice(0, onPodium)} />
      {rest.length > 0 && (
        <table class="mt-6 w-full border-separate border-spacing-0">
          <caption class="sr-only">{leaderboard.title}</caption>
          <thead class="sr-only">
            <tr>
              <th scope="col">{leaderboard.rank}</th>
              <th scope="col">{leaderboard.person}</th>
              <th scope="col">{leaderboard.points}</th>
            </tr>
          </thead>
          <tbody>
            {rest.map((one) => (
              <RankingRow
                key={one.username}
                of={one}
                share={one.points !== null && most !== null ? one.points / most : null}
              />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** The first three: the first in the middle, and highest. Screen readers get them in the order of their ranks. */
function Podium({ of }: { of: LeaderboardData["items"] }) {
  return (
    <ol class="mt-6 grid grid-cols-3 items-end gap-2 border-b border-line sm:gap-4">
      {of.map((one, index) => (
        <li key={one.username} class={`min-w-0 ${places[index]?.column ?? ""}`}>
          <Place of={one} index={index} />
        </li>
      ))}
    </ol>
  )
}

/** By position. In one row, the second stands left of the first. */
const places = [
  { column: "col-start-2 row-start-1", height: "min-h-36 sm:min-h-40", avatar: "large" },
  { column: "col-start-1 row-start-1", height: "min-h-28 sm:min-h-30", avatar: "medium" },
  { column: "col-start-3 row-start-1", height: "min-h-24", avatar: "medium" },
] as const

function Place({ of, index }: { of: LeaderboardData["items"][number]; index: number }) {
  const { leaderboard } = t()
  const { rank, username, name, avatar, points, count } = of
  const place = places[index] ?? places[2]
  const isOwn = username === me.value?.username
  return (
    <a href={personAddress(username)} class="grid justify-items-center gap-2 rounded-box text-center">
      <Avatar name={name} username={username} src={avatar} size={place.avatar} />
      <span class="grid justify-items-center">
        <span dir="auto" translate={false} class="line-clamp-2 leading-tight font-medium">
          {name}
        </span>
        {isOwn && <span class="text-sm text-primary">{leaderboard.you}</span>}
      </span>
      <span
        class={`grid w-full content-start justify-items-center gap-0.5 rounded-t-box border-t-2 border-warm pt-2.5 ${place.height} ${index === 0 ? "bg-warm/14" : "bg-warm/8"}`}
      >
        <span class="sr-only">{leaderboard.rank}</span>
        <span class="text-xl font-semibold text-warm tabular-nums">{rank !== null && formatNumber(rank)}</span>
        {points !== null && <span class="font-semibold tabular-nums">{formatNumber(points)}</span>}
        <span class="text-xs text-muted">{formatPlural(count, leaderboard.times)}</span>
      </span>
    </a>
  )
}

interface RankingRowProps {
  readonly of: LeaderboardData["items"][number]
  /** The share of the first place's points, from 0 to 1; null where the reader may not see them. */
  readonly share: number | null
}

function RankingRow({ of: { rank, username, name, dept, avatar, points, count }, share }: RankingRowProps) {
  const { leaderboard } = t()
  const isOwn = username === me.value?.username
  return (
    <tr class={`group ${isOwn ? "[&>td]:bg-primary/8" : "hover:[&>td]:bg-base-300/50"}`}>
      <td class="w-10 rounded-s-field py-2 text-center align-middle text-sm text-muted tabular-nums">
        {rank !== null && formatNumber(rank)}
      </td>
      <td class="py-2 ps-2">
        <a href={personAddress(username)} class="flex min-h-11 items-center gap-3 rounded-field">
          <Avatar name={name} username={username} src={avatar} />
          <span class="min-w-0 grow">
            <span class="flex flex-wrap items-baseline gap-x-2">
              <span dir="auto" translate={false} class="font-medium">
                {name}
              </span>
              {isOwn && <span class="text-sm text-primary">{leaderboard.you}</span>}
              <span dir="auto" class="text-sm text-muted max-sm:hidden">
                {dept}
              </span>
            </span>
            {share !== null && (
              <span class="mt-1.5 block h-1 overflow-hidden rounded-full bg-base-content/8" aria-hidden="true">
                <span class="block h-full rounded-full bg-primary/60" style={{ width: `${100 * share}%` }} />
              </span>
            )}
          </span>
        </a>
      </td>
      <td class="w-px rounded-e-field py-2 ps-4 pe-3 text-end align-middle whitespace-nowrap tabular-nums">
        {points !== null && <span class="block font-semibold">{formatNumber(points)}</span>}
        <span class="block text-xs text-muted">{formatPlural(count, leaderboard.times)}</span>
      </td>
    </tr>
  )
}

function Nobody() {
  const { leaderboard } = t()
  return (
    <Empty drawing="podium">
      <p>{t().home.noLeaders}</p>
      <a href={addresses.home} class="btn btn-primary font-medium">
        {leaderboard.thank}
      </a>
    </Empty>
  )
}

function RankingSkeleton() {
  return (
    <div class="mt-8">
      <Skeleton class="h-12 w-full rounded-box" />
      <div class="mt-6 grid grid-cols-3 items-end gap-2 sm:gap-4">
        <Skeleton class="h-36 rounded-box" />
        <Skeleton class="h-48 rounded-box" />
        <Skeleton class="h-32 rounded-box" />
      </div>
      {Array.from({ length: 5 }, (_, index) => (
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
