import { useLayoutEffect, useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { formatLongDay } from "../../dates/dates.ts"
import { now } from "../../dates/now.ts"
import { Unloaded } from "../../parts/unloaded.tsx"
import { useTitle } from "../../parts/use-title.ts"
import type { Place } from "../../screens.ts"
import { type Me, me } from "../../session.ts"
import { fill, formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { Days } from "./days.tsx"
import { Empty } from "./empty.tsx"
import { Entries, EntriesSkeleton } from "./entries.tsx"
import { Filters } from "./filters.tsx"
import { PageChoice } from "./page-choice.tsx"
import { Totals } from "./totals.tsx"
import { daysAsked, useDays } from "./use-days.ts"
import { type HistoryPage, pageAsked, useHistory } from "./use-history.ts"
import { type View, viewOf } from "./view.ts"

/** Who gave whom how much: one's own, for superusers everybody's and each person's. */
export function History() {
  const member = me.value
  return member && <HistoryOf member={member} />
}

function HistoryOf({ member }: { member: Me }) {
  const { query } = useLocation()
  const view = viewOf(query, member)
  const { history } = t()
  const isOther = view.username !== null && view.username !== member.username
  const title = isOther ? fill(history.titleOf, { name: view.username ?? "" }) : history.title
  useTitle(view.page > 1 ? `${title}, ${fill(history.page, { page: formatNumber(view.page) })}` : title)
  const { data, failure, isLate, refresh } = useHistory(pageAsked(view))
  const isRefused = failure?.kind === "refused"

  return (
    <>
      <h1 dir="auto" class="text-xl font-semibold tracking-tight">
        {title}
      </h1>
      <p class="hidden print:block">{formatLongDay(now.value)}</p>
      {!isRefused && <Days view={view} />}
      <Filters view={view} />
      {failure !== null ? (
        <Unloaded failure={failure} onRetry={refresh} />
      ) : data === null ? (
        <EntriesSkeleton />
      ) : (
        <List view={view} page={data} isLate={isLate} />
      )}
    </>
  )
}

History.ahead = ({ query }: Place, member: Me) => {
  const view = viewOf(query, member)
  return Promise.all([useHistory.ahead(pageAsked(view)), useDays.ahead(daysAsked(view))])
}

function List({ view, page, isLate }: { view: View; page: HistoryPage; isLate: boolean }) {
  const { wasPush } = useLocation() as ReturnType<typeof useLocation> & { wasPush: boolean }
  const top = useRef<HTMLDivElement>(null)
  const shownPage = useRef(page.page)
  useLayoutEffect(() => {
    if (wasPush && shownPage.current !== page.page) top.current?.scrollIntoView({ block: "start" })
    shownPage.current = page.page
  }, [page.page])

  return (
    <div ref={top} class="scroll-mt-4" aria-busy={isLate}>
      <Totals view={view} page={page} />
      {page.items.length === 0 ? (
        <Empty view={view} page={page} />
      ) : (
        <div class={isLate ? "opacity-60 transition-opacity delay-200" : ""}>
          <Entries view={view} items={page.items} />
        </div>
      )}
      <PageChoice view={view} page={page} />
    </div>
  )
}
