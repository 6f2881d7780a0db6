import { X } from "lucide"
import { addresses } from "../addresses.ts"
import type { Recognition } from "../live/entry.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Icon } from "../parts/icon.tsx"
import { fill, formatPlural, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { arrival, unseen } from "./received.ts"

/** Says what just came in: beside the navigation, where it covers nothing. Where the feed shows it, it is only spoken. */
export function Arrival() {
  const { received } = t()
  const shown = arrival.value
  const isCard = shown !== null && !shown.isSeen
  return (
    <div
      class={
        isCard
          ? "arrives flex items-start gap-1 border-b border-line py-1.5 ps-4 lg:mt-auto lg:rounded-box lg:border lg:bg-base-100 lg:py-2 lg:ps-3"
          : "sr-only"
      }
    >
      <div role="status" class="min-w-0 grow">
        {shown !== null && <News key={shown.of.id} of={shown.of} more={unseen.value.length - 1} />}
      </div>
      {isCard && (
        <button
          type="button"
          class="btn btn-ghost btn-sm btn-square text-muted"
          aria-label={received.dismiss}
          title={received.dismiss}
          onClick={() => {
            arrival.value = null
          }}
        >
          <Icon of={X} class="size-4" />
        </button>
      )}
    </div>
  )
}

function News({ of, more }: { of: Recognition; more: number }) {
  const { received, feed } = t()
  const reason = of.private ? feed.hidden : of.reason
  return (
    <div class="grid grid-cols-[auto_1fr] gap-x-2.5 py-1 text-sm">
      <Avatar name={of.from_name} username={of.from_username} src={of.from_avatar} size="small" />
      <div class="grid min-w-0 gap-0.5">
        <a href={addresses.home} class="font-medium hover:underline" onClick={toTop}>
          <Sentence text={fill(received.arrived, { points: formatPoints(of.value) })} from={of.from_name} />
        </a>
        {reason !== null && (
          <p dir="auto" class="line-clamp-2 text-muted">
            {reason}
          </p>
        )}
        {more > 0 && <p class="text-xs text-muted">{formatPlural(more, received.more)}</p>}
      </div>
    </div>
  )
}

/** A name may run the other way than the sentence around it. */
function Sentence({ text, from }: { text: string; from: string }) {
  const [before = "", after = ""] = text.split("{from}")
  return (
    <>
      {before}
      <bdi>{from}</bdi>
      {after}
    </>
  )
}

/** On home already, the link leads to its beginning. */
function toTop() {
  scrollTo({ top: 0 })
}
