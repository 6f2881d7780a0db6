import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../languages/writing.ts"
import { personAddress } from "../addresses.ts"
import { dayMs, formatServerDay, formatUntilServerDay, now, serviceToday } from "../dates.tsx"
import { focusTransferBox } from "../palette/commands.ts"
import { Avatar } from "../parts/avatar.tsx"
import { api, request } from "../server/api.ts"
import { createQuery } from "../server/query.ts"
import { me } from "../session.ts"
import { formatPlural } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Receiver } from "../transfer/transfer.ts"
import { occasionEmoji } from "./words.ts"

/** From today on. */
const listedDays = 14

function loadPage(page: { readonly size: string; readonly after?: string }) {
  const to = new Date(now.peek() + (listedDays - 1) * dayMs).toISOString().slice(0, 10)
  return request(api.api.v1.occasions.get({ query: { to, ...page } }))
}

/** What is shown at first, and two more, because the reader may have two and is left out. */
const firstSize = "6"
const laterSize = "50"

const useOccasions = createQuery((_: null) => loadPage({ size: firstSize }))

type Page = NonNullable<ReturnType<typeof useOccasions>["data"]>
type Occasion = Page["items"][number]

export interface UpcomingProps {
  /** How many are shown at first, up to four. */
  readonly most: number
  readonly class?: string
  /** Puts somebody into a box on the same page. Without one, or if this returns false, the box of that person's page opens. */
  readonly choose?: (person: Receiver) => boolean
}

/** Whom to celebrate today and in the next weeks, without the reader; nothing where nobody is. */
export function Upcoming({ most, class: className = "", choose = () => false }: UpcomingProps) {
  const { occasions } = t()
  const { data } = useOccasions(null)
  const id = useId()
  const later = useSignal<readonly Page[]>([])
  const showsAll = useSignal(false)
  const pages = data === null ? [] : [data, ...later.value]
  const all = pages.flatMap(({ items }) => items).filter(({ username }) => username !== me.value?.username)
  if (all.length === 0) return null
  const shown = showsAll.value ? all : all.slice(0, most)
  const after = pages.at(-1)?.next ?? null
  const known = later.value
  const showMore = async () => {
    showsAll.value = true
    const answer = after === null ? null : await loadPage({ size: laterSize, after })
    // Two clicks load the same page: the first answer counts.
    if (answer?.kind === "done" && later.peek() === known) later.value = [...known, answer.data]
  }
  return (
    <section
      aria-labelledby={id}
      class={`grid grid-cols-1 gap-2 rounded-box bg-base-100 p-4 print:hidden ${className}`}
    >
      <h2 id={id} class="text-sm font-medium text-muted">
        {occasions.title}
      </h2>
      <ul class="grid grid-cols-1 gap-1">
        {shown.map((one) => (
          <li key={`${one.username} ${one.kind}`}>
            <Row of={one} choose={choose} />
          </li>
        ))}
      </ul>
      {(shown.length < all.length || after !== null) && (
        <button
          type="button"
          class="link link-hover justify-self-start text-sm text-primary pointer-coarse:py-2"
          onClick={showMore}
        >
          {occasions.more}
        </button>
      )}
    </section>
  )
}

Upcoming.prefetch = () => useOccasions.prefetch(null)

/** On the day itself it leads to the box that gives, with this person chosen. */
function Row({ of, choose }: { of: Occasion } & Required<Pick<UpcomingProps, "choose">>) {
  const { occasions } = t()
  const { route } = useLocation()
  const { date, username, name, avatar, dept, kind } = of
  return (
    <div class="flex flex-wrap items-center gap-x-2.5">
      <a
        href={personAddress(username)}
        class="flex min-h-11 min-w-0 grow items-center gap-2.5 rounded-field hover:bg-base-200"
      >
        <Avatar name={name} username={username} src={avatar} size="small" />
        <span class="min-w-0 grow">
          <span class="block wrap-anywhere">
            <bdi>{name}</bdi>
          </span>
          <span class="block text-sm text-muted">
            <span aria-hidden="true">{occasionEmoji[kind]}</span> {nameOf(of)} ·{" "}
            <time dateTime={date} title={formatServerDay(date)}>
              {formatUntilServerDay(date)}
            </time>
          </span>
        </span>
      </a>
      {date === serviceToday() && (
        <button
          type="button"
          class="btn btn-sm btn-outline border-line font-medium pointer-coarse:min-h-11"
          aria-label={fill(occasions.congratulatePerson, { name })}
          onClick={() => {
            if (!choose({ kind: "person", username, name, avatar, dept })) route(personAddress(username))
            focusTransferBox()
          }}
        >
          {occasions.congratulate}
        </button>
      )}
    </div>
  )
}

/** `Birthday`, `3 years here`. */
function nameOf({ kind, years }: Occasion): string {
  const { occasions, person } = t()
  if (kind === "anniversary") return formatPlural(years ?? 0, occasions.anniversary)
  return kind === "birthday" ? person.birthday : occasions.firstDay
}
