import type { Recognition } from "../live/entry.ts"
import { me } from "../session.ts"
import { fill, formatPlural, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

/** What just came, for those who hear the page: one by its names, several by their number. */
export function Announcement({ of }: { of: readonly Recognition[] }) {
  return (
    <p role="status" class="sr-only">
      {of.length > 0 && wordsFor(of)}
    </p>
  )
}

function wordsFor(news: readonly Recognition[]): string {
  const [one, another] = news
  if (one === undefined || another !== undefined) return formatPlural(news.length, t().feed.manyNews)
  const isOwn = one.from_username === me.peek()?.username
  return fill(t().feed.news, {
    from: isOwn ? t().feed.youFrom : one.from_name,
    to: one.to_name,
    points: formatPoints(one.value),
  })
}
