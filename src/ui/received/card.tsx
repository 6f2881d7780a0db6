import { X } from "lucide"
import { fill } from "../../languages/writing.ts"
import { addresses, personAddress } from "../addresses.ts"
import type { Recognition } from "../live.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Icon } from "../parts/icon.tsx"
import { me } from "../session.ts"
import { formatNames, formatPlural, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Notification } from "./server.ts"
import { latestArrival, unseen } from "./unseen.ts"

/**
 * A card beside the navigation for a newly received recognition. If the feed already shows it, it is only announced to
 * screen readers.
 */
export function ReceivedCard() {
  const { received } = t()
  const shown = latestArrival.value
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
        {shown !== null && (
          <CardContent
            key={shown.of.id}
            of={shown.of}
            addition={shown.addition}
            more={shown.addition === null ? unseen.value.length - 1 : 0}
            isCard={isCard}
          />
        )}
      </div>
      {isCard && (
        <button
          type="button"
          class="btn btn-ghost btn-sm btn-square text-muted"
          aria-label={received.dismiss}
          title={received.dismiss}
          onClick={() => {
            latestArrival.value = null
          }}
        >
          <Icon of={X} class="size-4" />
        </button>
      )}
    </div>
  )
}

interface CardProps {
  readonly of: Recognition
  readonly addition: Notification["addition"]
  readonly more: number
  /** Whether the card is visible. Otherwise it is only announced to screen readers, and nothing in it can
   *  take the focus. */
  readonly isCard: boolean
}

function CardContent({ of, addition, more, isCard }: CardProps) {
  const { received, feed } = t()
  const reason = of.private ? feed.hidden : of.reason
  const others = of.receivers.filter(({ username }) => username !== me.value?.username).map(({ name }) => name)
  const [celebrity] = of.occasion === null ? [] : of.receivers
  const { username, name, avatar } = addition ??
    celebrity ?? { username: of.from_username, name: of.from_name, avatar: of.from_avatar }
  const value = addition?.value ?? of.value ?? 0 // people see all points that they receive
  const text = addition === null ? received.arrived : received.added
  // The words of an occasion say everything, and nobody gave it.
  const isCelebration = of.occasion !== null && addition === null
  const sentence = isCelebration ? (
    <bdi>{reason}</bdi>
  ) : (
    <Sentence text={fill(text, { points: formatPoints(value) })} from={name} />
  )
  return (
    <div class="grid grid-cols-[auto_1fr] gap-x-2.5 py-1 text-sm">
      <Avatar name={name} username={username} src={avatar} size="small" />
      <div class="grid min-w-0 gap-0.5">
        {isCard ? (
          <a href={addresses.home} class="font-medium hover:underline" onClick={scrollToTop}>
            {sentence}
          </a>
        ) : (
          <p>{sentence}</p>
        )}
        {others.length > 0 && addition === null && <p>{fill(received.together, { names: formatNames(others) })}</p>}
        {reason !== null && !isCelebration && (
          <p dir="auto" class="line-clamp-2 text-muted">
            {reason}
          </p>
        )}
        {isCard && !isCelebration && (
          <a href={personAddress(username)} class="link link-hover justify-self-start text-primary">
            {received.thankBack}
          </a>
        )}
        {more > 0 && <p class="text-xs text-muted">{formatPlural(more, received.more)}</p>}
      </div>
    </div>
  )
}

/** Isolates the name, because it may have another text direction than the sentence. */
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

/** For a click on the link while the home screen is open. */
function scrollToTop() {
  scrollTo({ top: 0 })
}
