import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { personAddress } from "../addresses.ts"
import type { Recognition } from "../live.ts"
import { occasionEmoji } from "../occasions/words.ts"
import { Avatar } from "../parts/avatar.tsx"
import { me } from "../session.ts"
import { formatNumber, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { Added } from "./added.tsx"
import { Responses } from "./responses.tsx"

interface OccasionEntryProps {
  readonly of: Recognition
  readonly kind: keyof typeof occasionEmoji
  readonly isOpen: boolean
  /** When it was, with a link to the entry. */
  readonly time: ComponentChildren
}

/** A birthday, an anniversary or a first day: nobody gave it, so it has no sender. */
export function OccasionEntry({ of, kind, isOpen, time }: OccasionEntryProps) {
  const { receivers, value, reason } = of
  const [person] = receivers
  /** Whether the mouse is over the entry, as in `RecognitionEntry`. */
  const isHovered = useSignal(false)
  const isOwn = person?.username === me.value?.username
  return (
    <article
      class={`group relative grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3.5 py-3 focus-within:z-10 hover:z-10 ${isOwn ? "-mx-3 rounded-box bg-warm/7 px-3" : ""}`}
      data-occasion={kind}
      data-received={isOwn}
      onPointerEnter={({ pointerType }) => {
        isHovered.value = pointerType === "mouse"
      }}
      onPointerLeave={() => {
        isHovered.value = false
      }}
    >
      <span class="size-12">{person && <Avatar {...person} src={person.avatar} size="big" />}</span>
      <div class="grid min-w-0 content-center gap-0.5">
        <p dir="auto" class="text-lg leading-snug">
          <span aria-hidden="true">{occasionEmoji[kind]}</span> {reason}
        </p>
        <p class="text-sm text-muted">
          {person && (
            <a href={personAddress(person.username)} dir="auto" translate={isOwn} class="hover:underline">
              {isOwn ? t().feed.you : person.name}
            </a>
          )}{" "}
          · {time}
        </p>
        <Responses to={of} isOpen={isOpen} isHovered={isHovered.value}>
          <Added to={of} />
        </Responses>
      </div>
      {value !== null && value > 0 && (
        <p
          class={`text-lg font-semibold tabular-nums ${isOwn ? "text-warm" : "text-primary"}`}
          title={formatPoints(value)}
        >
          <span aria-hidden="true">+{formatNumber(value)}</span>
          <span class="sr-only">{formatPoints(value)}</span>
        </p>
      )}
    </article>
  )
}
