import { X } from "lucide"
import { useEffect, useId } from "preact/hooks"
import { recognitionAddress } from "../../addresses.ts"
import { Time } from "../../dates.tsx"
import { Avatar } from "../../parts/avatar.tsx"
import { Icon } from "../../parts/icon.tsx"
import { markNewsSeen, news } from "../../received.tsx"
import { fill, formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

/** How many notifications are listed; the feed below has the rest. */
const maxListed = 5

/** What happened since the last visit: points received and replies. All of it counts as seen once it is shown. */
export function News() {
  const id = useId()
  const shown = news.value
  useEffect(() => {
    if (shown !== null && !document.hidden) markNewsSeen()
  }, [shown])
  if (shown === null) return null
  const { received, feed } = t()
  const { items, isSinceLastVisit } = shown
  const rest = items.length - maxListed
  return (
    <section aria-labelledby={id} class="rounded-box border border-warm/25 bg-warm/5 py-3 ps-4 pe-2">
      <div class="flex items-center justify-between gap-2">
        <h2 id={id} class="font-semibold">
          {isSinceLastVisit ? received.sinceLastVisit : received.newReplies}
        </h2>
        <button
          type="button"
          class="btn btn-ghost btn-sm btn-square text-muted"
          aria-label={received.close}
          title={received.close}
          onClick={() => {
            news.value = null
          }}
        >
          <Icon of={X} class="size-4" />
        </button>
      </div>
      <ul class="mt-1 grid gap-2">
        {items.slice(0, maxListed).map(({ id, date, recognition, reply }) => (
          <li key={id} class="grid grid-cols-[auto_1fr] items-center gap-x-2.5 text-sm">
            {reply === null ? (
              <Avatar
                name={recognition.from_name}
                username={recognition.from_username}
                src={recognition.from_avatar}
                size="small"
              />
            ) : (
              <Avatar name={reply.name} username={reply.username} src={reply.avatar} size="small" />
            )}
            <p class="min-w-0">
              <a href={recognitionAddress(recognition.id)} dir="auto" class="hover:underline">
                {reply === null
                  ? fill(received.arrived, { from: recognition.from_name, points: formatPoints(recognition.value) })
                  : fill(received.replied, { from: reply.name, text: reply.text })}
              </a>{" "}
              <span class="text-xs text-muted">
                <Time date={date} />
              </span>
            </p>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="mt-2 text-xs text-muted">{formatPlural(rest, feed.more)}</p>}
    </section>
  )
}
