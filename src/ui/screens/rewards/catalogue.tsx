import { Gift } from "lucide"
import type { ComponentChildren } from "preact"
import { useLocation } from "preact-iso"
import { Time } from "../../dates.tsx"
import { isSafePicture } from "../../parts/avatar.tsx"
import { Icon } from "../../parts/icon.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { api, request } from "../../server/api.ts"
import { createQuery, type QueryResult } from "../../server/query.ts"
import { formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

/** The rewards that the viewer may see: for superusers all, otherwise the active ones. */
export const useRewards = createQuery((_: null) => request(api.api.v1.rewards.get()))

export type Reward = NonNullable<ReturnType<typeof useRewards>["data"]>["items"][number]

interface RedemptionsRequest {
  readonly state?: string
  readonly username?: string
  /** `next` of the previous page. */
  readonly before?: string
}

/** One page of redemptions, newest first. */
export const useRedemptions = createQuery((query: RedemptionsRequest) =>
  request(api.api.v1.redemptions.get({ query: { ...query, size: "50" } })),
)

export type Redemption = NonNullable<ReturnType<typeof useRedemptions>["data"]>["items"][number]

/** The server's limit for a comment and for an answer, in characters. */
export const maxTextLength = 500

interface RedemptionPagesProps {
  readonly of: QueryResult<{ readonly items: readonly Redemption[]; readonly next: string | null }>
  /** The address of the screen with this query. */
  readonly address: (query: { readonly before?: string }) => string
  readonly empty: string
  readonly children: (redemption: Redemption) => ComponentChildren
}

/** One page of redemptions, with links to the next and to the first. */
export function RedemptionPages({ of: { data, failure, refresh }, address, empty, children }: RedemptionPagesProps) {
  const { rewards } = t()
  const { before } = useLocation().query
  if (failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (data === null) return <Skeleton class="h-16 w-full" />
  return (
    <>
      {data.items.length === 0 && <p class="py-4 text-muted">{empty}</p>}
      <ul class="divide-y divide-line">
        {data.items.map((redemption) => (
          <li key={redemption.id} class="py-3">
            {children(redemption)}
          </li>
        ))}
      </ul>
      <p class="mt-2 flex gap-4">
        {before !== undefined && (
          <a href={address({})} class="link grid min-h-11 place-content-center">
            {rewards.newest}
          </a>
        )}
        {data.next !== null && (
          <a href={address({ before: data.next })} class="link grid min-h-11 place-content-center">
            {rewards.older}
          </a>
        )}
      </p>
    </>
  )
}

/** The reward of a request, its date and its state. `by` names the person who made the request. */
export function RedemptionText({ of, by }: { of: Redemption; by?: ComponentChildren }) {
  const { rewards } = t()
  const { reward_name: reward, cost, state, date, comment, answer } = of
  return (
    <div class="min-w-0">
      <p class="flex flex-wrap items-baseline gap-x-2">
        {by}
        <span dir="auto" class="font-medium">
          {reward}
        </span>
        <span class="text-sm text-muted tabular-nums">{formatPoints(cost)}</span>
        <span class={`text-sm ${looks[state]}`}>{rewards.states[state]}</span>
        <span class="text-sm text-muted">
          <Time date={date} />
        </span>
      </p>
      {comment !== null && <Words text={comment} />}
      {answer !== null && <Words text={`→ ${answer}`} />}
    </div>
  )
}

const looks = { requested: "text-primary", fulfilled: "text-muted", declined: "text-error" }

function Words({ text }: { text: string }) {
  return (
    <p dir="auto" class="text-sm whitespace-pre-line text-muted">
      {text}
    </p>
  )
}

/**
 * The cover of a reward, which fills its place: a picture, an emoji or a gift. The name must be beside it. `size`: the
 * class of the text size, which an emoji follows.
 */
export function Cover({ of: { id, picture, emoji }, size }: { of: CoverOf; size: string }) {
  return (
    <span
      class={`face relative grid size-full place-content-center overflow-hidden ${size}`}
      data-hue={id % hues}
      aria-hidden="true"
    >
      {picture !== null && isSafePicture(picture) ? (
        <img class="absolute inset-0 size-full object-cover" src={picture} alt="" loading="lazy" decoding="async" />
      ) : emoji !== null ? (
        <span class="leading-none">{emoji}</span>
      ) : (
        <Icon of={Gift} class="size-[1em]" />
      )}
    </span>
  )
}

type CoverOf = Pick<Reward, "id" | "picture" | "emoji">

/** Those of `.face` in style.css. */
const hues = 8
