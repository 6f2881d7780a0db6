import { me } from "../../session.ts"
import { fill, formatOrdinal, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { LeaderboardTold } from "./leaderboard.tsx"

/** Where one stands, where the list does not say so. */
export function Own({ of: { items, own, shows } }: { of: LeaderboardTold }) {
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
