import { addresses, personAt } from "../../addresses.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Skeleton } from "../../parts/skeleton.tsx"
import { me } from "../../session.ts"
import { formatNumber, formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { LeaderboardTold } from "./leaderboard.tsx"

/** The list of who received or gave most. */
export function Standings({ of: { items } }: { of: LeaderboardTold }) {
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
          <Standing key={one.username} of={one} share={one.points / most} />
        ))}
      </tbody>
    </table>
  )
}

interface StandingProps {
  readonly of: LeaderboardTold["items"][number]
  /** Of what the first has. */
  readonly share: number
}

function Standing({ of: { rank, username, name, dept, avatar, points, count }, share }: StandingProps) {
  const { leaderboard } = t()
  const isOwn = username === me.value?.username
  return (
    <tr class={`group ${isOwn ? "[&>td]:bg-primary/8" : "hover:[&>td]:bg-base-300/50"}`}>
      <td class="w-10 rounded-s-field py-2 text-center align-middle text-sm text-muted tabular-nums">
        <span class={rank === 1 ? "font-semibold text-primary" : ""}>{rank !== null && formatNumber(rank)}</span>
      </td>
      <td class="py-2 ps-2">
        <a href={personAt(username)} class="flex min-h-11 items-center gap-3 rounded-field">
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
    <div class="grid justify-items-start gap-3 py-8">
      <p>{leaderboard.nobody}</p>
      <a href={addresses.home} class="btn btn-primary font-medium">
        {leaderboard.thank}
      </a>
    </div>
  )
}

/** What stands in the place of the list. */
export function StandingsSkeleton() {
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
