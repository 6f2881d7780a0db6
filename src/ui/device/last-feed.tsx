import { fill } from "../../languages/writing.ts"
import { keptFeed } from "../browser-storage.ts"
import { formatExact, formatRelative, now, parseDate } from "../dates.tsx"
import { Avatar } from "../parts/avatar.tsx"
import { formatNames, formatNumber, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { KeptEntry, KeptFeed } from "./kept.ts"

/** The feed as it was shown last in this browser, while there is no connection. Nothing in it can be answered. */
export function LastFeed() {
  const kept = keptFrom(keptFeed.get())
  if (kept === null || kept.items.length === 0) return null
  const { offline } = t()
  return (
    <section class="mt-4 w-full max-w-2xl justify-self-center text-start" aria-labelledby="last-feed">
      <h1 id="last-feed" class="text-lg font-semibold tracking-tight">
        {offline.title}
      </h1>
      <p class="text-sm text-muted">
        {fill(offline.old, { name: kept.username, time: formatRelative(kept.at, now.value) })}
      </p>
      <ol class="mt-3 divide-y divide-line">
        {kept.items.map((entry) => (
          <li key={entry.id}>
            <Entry of={entry} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Entry({ of: { date, from, to, value, reason, tags } }: { of: KeptEntry }) {
  const ms = parseDate(date)
  const [first] = to
  return (
    <article class="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3.5 py-3">
      {first && <Avatar {...first} src={null} />}
      <div class="grid min-w-0 content-center gap-0.5">
        <p class="text-sm text-muted">
          <b dir="auto" class="text-base font-semibold text-base-content">
            {formatNames(to.map(({ name }) => name))}
          </b>{" "}
          {from !== null && (
            <>
              {t().feed.from} <span dir="auto">{from}</span>
              {" · "}
            </>
          )}
          <time dateTime={new Date(ms).toISOString()}>{formatExact(ms)}</time>
        </p>
        {reason !== null && (
          <p dir="auto" class="text-lg leading-snug whitespace-pre-line">
            {reason}
          </p>
        )}
        {tags.length > 0 && (
          <p dir="auto" class="text-sm text-muted">
            {tags.map((tag) => `#${tag}`).join(" ")}
          </p>
        )}
      </div>
      {value !== null && value > 0 && (
        <p class="text-lg font-semibold text-primary tabular-nums">
          <span aria-hidden="true">+{formatNumber(value)}</span>
          <span class="sr-only">{formatPoints(value)}</span>
        </p>
      )}
    </article>
  )
}

/** Null for nothing, and for what another version wrote. */
function keptFrom(stored: string | null): KeptFeed | null {
  try {
    const kept = JSON.parse(stored ?? "null") as KeptFeed | null
    return Array.isArray(kept?.items) ? kept : null
  } catch {
    return null
  }
}
