import type { ComponentChildren } from "preact"
import type { Recognition } from "../live.ts"
import { Avatar } from "../parts/avatar.tsx"
import { formatNumber, formatPoints } from "../texts/format.ts"
import { Responses } from "./responses.tsx"

export const occasionEmoji = { birthday: "🎂", anniversary: "🎉", first_day: "👋" } as const

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
  return (
    <article
      class="group relative grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3.5 py-3 focus-within:z-10 hover:z-10"
      data-occasion={kind}
    >
      <span class="size-12">{person && <Avatar {...person} src={person.avatar} size="big" />}</span>
      <div class="grid min-w-0 content-center gap-0.5">
        <p dir="auto" class="text-lg leading-snug">
          <span aria-hidden="true">{occasionEmoji[kind]}</span> {reason}
        </p>
        <p class="text-sm text-muted">{time}</p>
        <Responses to={of} isOpen={isOpen} isHovered={true}>
          {null}
        </Responses>
      </div>
      {value !== null && value > 0 && (
        <p class="text-lg font-semibold text-primary tabular-nums" title={formatPoints(value)}>
          <span aria-hidden="true">+{formatNumber(value)}</span>
          <span class="sr-only">{formatPoints(value)}</span>
        </p>
      )}
    </article>
  )
}
