import { useSignal } from "@preact/signals"
import { X } from "lucide"
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { addresses, recognitionAddress, withQuery } from "../../addresses.ts"
import { dayMs, formatUntil, now, parseDate, serviceFormatOf, serviceToday, Time } from "../../dates.tsx"
import { Feed } from "../../feed/feed.tsx"
import { filterOf } from "../../feed/feed-filter.ts"
import { feedListOf } from "../../feed/feed-list.ts"
import { FeedFilters } from "../../feed/filter.tsx"
import { occasionEmoji, wishFor } from "../../occasions/words.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Icon } from "../../parts/icon.tsx"
import { Empty, LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { isUnlimited } from "../../parts/pockets.tsx"
import type { Notification } from "../../received/server.ts"
import { news, newsSeen } from "../../received/unseen.ts"
import { mayOpen } from "../../rights.ts"
import { type ScreenLocation, useTitle } from "../../screen.ts"
import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { type Account, account, accountFailure, type Me, me, refreshAccount } from "../../session.ts"
import { formatNumber, formatPlural, formatPoints } from "../../texts/format.ts"
import { loadTexts, t } from "../../texts/texts.ts"
import { TransferBox } from "../../transfer/transfer-box.tsx"

export function Home() {
  const { home } = t()
  const filter = filterOf(useLocation().query)
  useTitle(home.title)
  return (
    <div class="two-columns @container">
      <div class="grid grid-cols-[minmax(0,1fr)] gap-6 @min-[54rem]:grid-cols-[minmax(0,1fr)_19rem] @min-[54rem]:gap-10">
        <div class="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
          <div class="grid grid-cols-[minmax(0,1fr)] gap-3">
            <InitialPassword />
            <h1 dir="auto" class="text-xl font-semibold tracking-tight">
              <Greeting name={me.value?.name ?? ""} />
            </h1>
            <Points />
            <div class="@min-[54rem]:hidden">
              <BudgetLines most={1} />
            </div>
          </div>
          <News />
          <TransferBox />
          {mayOpen(addresses.adminInsights) && (
            <div class="min-h-11 @min-[54rem]:hidden">
              <Programme as="FoldedCard" />
            </div>
          )}
          <Feed filter={filter} controls={<FeedFilters of={filter} />} empty={<NothingYet />} />
        </div>
        <SecondColumn />
      </div>
    </div>
  )
}

/** On a day of the user's own, a wish. */
function Greeting({ name }: { name: string }) {
  const occasion = account.value?.occasion
  if (occasion && occasion.date === serviceToday())
    return (
      <>
        {wishFor(occasion, name)} <span aria-hidden="true">{occasionEmoji[occasion.kind]}</span>
      </>
    )
  return <>{fill(t().home.greeting, { name })}</>
}

/**
 * Shown only on a wide screen, where it stays while the feed scrolls. Its script is loaded only there, and after the rest is
 * painted.
 */
function SecondColumn() {
  const column = useSignal<typeof import("./aside.tsx").Aside | null>(null)
  useEffect(() => {
    const isWide = matchMedia("(min-width: 80rem)")
    const loadIfWide = async () => {
      if (!isWide.matches) return
      // If the script fails to load, the column stays empty: everything in it is on other screens, too.
      column.value = (await import("./aside.tsx").catch(() => null))?.Aside ?? null
    }
    void loadIfWide()
    isWide.addEventListener("change", loadIfWide)
    return () => isWide.removeEventListener("change", loadIfWide)
  }, [])
  const Column = column.value
  return (
    <aside class="sticky top-10 hidden max-h-[calc(100dvh-5rem)] grid-cols-1 content-start gap-4 self-start overflow-y-auto @min-[54rem]:grid">
      {Column !== null && (
        <Column programme={<Programme as="Card" />} lines={<BudgetLines most={shownBudgetLines} />} />
      )}
    </aside>
  )
}

/** For those who run the programme. Its script and its texts are loaded for them alone. */
function Programme({ as }: { as: "Card" | "FoldedCard" }) {
  const cards = useSignal<typeof import("./programme-card.tsx") | null>(null)
  useEffect(() => {
    if (!mayOpen(addresses.adminInsights)) return
    Promise.all([import("./programme-card.tsx"), loadTexts(["admin", "rare"])]).then(
      ([loaded]) => {
        cards.value = loaded
      },
      // Everything in it is on screens of the administration, too.
      () => {},
    )
  }, [])
  const Shown = cards.value?.[as]
  return Shown === undefined ? null : <Shown />
}

Home.prefetch = ({ query }: ScreenLocation, { username }: Me) =>
  Promise.all([feedListOf(filterOf(query)).loadFirst(), BudgetLines.prefetch(username)])

/**
 * The two pockets of the current user's balance in one row, each with its own word, place and use: they are not to be added up.
 */
function Points() {
  const { home, pockets } = t()
  const own = account.value
  if (own === null && accountFailure.value !== null)
    return <LoadFailure failure={accountFailure.value} onRetry={refreshAccount} />
  return (
    <dl class="grid max-w-lg grid-cols-[minmax(0,1fr)_auto] gap-x-5 sm:gap-x-8">
      <div>
        <dt class="text-sm text-muted">{pockets.budget}</dt>
        {own === null ? (
          <dd>
            <Skeleton class="h-16 w-full" />
          </dd>
        ) : (
          <Budget of={own} />
        )}
      </div>
      {own !== null && (
        <div class="border-s border-line ps-5 sm:ps-8">
          <dt class="text-sm text-muted">{pockets.earned}</dt>
          <dd class="text-2xl font-semibold tracking-tight text-warm tabular-nums">
            <Counting value={own.redeemable} />
          </dd>
          <dd class="text-sm">
            <a href={addresses.rewards} class="link link-hover text-muted">
              {home.toRewards}
            </a>
          </dd>
        </div>
      )}
    </dl>
  )
}

/** What is left of the budget, as a number and as a part of what it will be on the day when it is renewed. */
function Budget({ of: { budget, next_allowance: next, granted_this_month } }: { of: Account }) {
  const { home, pockets } = t()
  const isWithout = isUnlimited(budget)
  const whole = next !== null && next.mode !== "add" && !isWithout && budget <= next.value ? next.value : null
  const at = next === null ? null : parseDate(next.at)
  const renewal =
    next === null || at === null
      ? ""
      : fill(home.renewal[next.mode], { points: formatNumber(next.value), when: formatUntil(at, now.value) })
  const left = whole === null ? home.left : fill(home.leftOf, { points: formatNumber(whole) })
  return (
    <>
      <dd class="inline-block pe-1.5 text-2xl font-semibold tracking-tight tabular-nums">
        {isWithout ? pockets.noLimit : <Counting value={budget} />}
      </dd>
      {!isWithout && <dd class="inline text-sm text-muted">{left}</dd>}
      {whole !== null && (
        <dd class="my-1 h-1.5 rounded-full bg-base-300" aria-hidden="true">
          <div class="h-full rounded-full bg-primary" style={{ width: `${(100 * budget) / whole}%` }} />
        </dd>
      )}
      {at !== null && (
        <dd class="text-sm text-muted" title={days().format(at)}>
          {renewal}
        </dd>
      )}
      {granted_this_month !== null && (
        <dd class="text-sm text-muted">{fill(home.granted, { points: formatNumber(granted_this_month) })}</dd>
      )}
    </>
  )
}

const days = serviceFormatOf({ weekday: "long", day: "numeric", month: "long" })

/** Warns users who still have the initial password. */
function InitialPassword() {
  const { home } = t()
  if (!account.value?.initial_password) return null
  return (
    <p class="rounded-field border border-warning/25 bg-warning/10 px-3.5 py-3 text-sm">
      {account.value.default_password ? home.defaultPassword : home.initialPassword}{" "}
      <a href={addresses.me} class="link whitespace-nowrap">
        {home.changePassword}
      </a>
    </p>
  )
}

/** How many notifications are listed; the feed below has the rest. */
const maxListed = 5

/** What happened since the last visit: points received and replies. All of it counts as seen once it is shown. */
function News() {
  const id = useId()
  const shown = news.value
  useEffect(() => {
    if (shown !== null && !document.hidden) newsSeen.mark?.()
  }, [shown])
  if (shown === null) return null
  const { received, feed } = t()
  const { items, isSinceLastVisit } = shown
  const rest = items.length - maxListed
  return (
    <section aria-labelledby={id} class="rounded-box border border-warm/25 bg-warm/5 py-3 ps-4 pe-2">
      <div class="flex items-center justify-between gap-2">
        <h2 id={id} class="font-semibold">
          {isSinceLastVisit
            ? received.sinceLastVisit
            : items.some(({ addition }) => addition !== null)
              ? received.newForYou
              : received.newReplies}
        </h2>
        <button
          type="button"
          class="btn btn-ghost btn-sm btn-square text-muted"
          aria-label={t().parts.close}
          title={t().parts.close}
          onClick={() => {
            news.value = null
          }}
        >
          <Icon of={X} class="size-4" />
        </button>
      </div>
      <ul class="mt-1 grid gap-2">
        {items.slice(0, maxListed).map((one) => (
          <li key={one.id} class="grid grid-cols-[auto_1fr] items-center gap-x-2.5 text-sm">
            <Avatar {...authorOf(one)} size="small" />
            <p class="min-w-0">
              <a href={recognitionAddress(one.recognition.id)} dir="auto" class="hover:underline">
                {sentenceOf(one)}
              </a>{" "}
              <span class="text-xs text-muted">
                <Time date={one.date} />
              </span>
            </p>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="mt-2 text-xs text-muted">{formatPlural(rest, feed.more)}</p>}
    </section>
  )
}

/** Who replied, added points, or gave them; of an occasion, whose it is. */
function authorOf({ recognition, addition, reply }: Notification) {
  const [celebrity] = recognition.occasion === null ? [] : recognition.receivers
  const { username, name, avatar } = reply ??
    addition ??
    celebrity ?? { username: recognition.from_username, name: recognition.from_name, avatar: recognition.from_avatar }
  return { username, name, src: avatar }
}

function sentenceOf({ recognition, addition, reply }: Notification): string {
  const { received } = t()
  if (reply !== null) return fill(received.replied, { from: reply.name, text: reply.text })
  if (addition !== null) return fill(received.added, { from: addition.name, points: formatPoints(addition.value) })
  if (recognition.occasion !== null) return recognition.reason ?? ""
  // People see all points that they receive.
  return fill(received.arrived, { from: recognition.from_name, points: formatPoints(recognition.value ?? 0) })
}

/** Shown while the feed is empty: an invitation, for superusers the next steps, whose script is loaded for them alone. */
function NothingYet() {
  const isFirst = me.value?.role === "superuser"
  const steps = useSignal<typeof import("./first-steps.tsx").FirstSteps | null>(null)
  const hasFailed = useSignal(false)
  useEffect(() => {
    if (!isFirst) return
    import("./first-steps.tsx").then(
      ({ FirstSteps }) => {
        steps.value = FirstSteps
      },
      () => {
        hasFailed.value = true
      },
    )
  }, [isFirst])
  const Steps = steps.value
  if (Steps !== null) return <Steps />
  return isFirst && !hasFailed.value ? null : <Empty drawing="thanks">{t().home.empty}</Empty>
}

const shownBudgetLines = 2
const budgetDays = 31

/** What last filled or emptied the budget of a user. None of it is recognition, so the feed leaves it out. */
const useBudgetLines = createQuery(async (username: string) => {
  const from = new Date(now.peek() - budgetDays * dayMs).toISOString().slice(0, 10)
  const ofKind = (kind: "grant" | "allowance" | "expiry") => {
    const side = kind === "expiry" ? "from_user" : "user"
    return request(
      api.api.v1.transactions.get({
        query: { username, [side]: username, kind, from, size: String(shownBudgetLines) },
      }),
    )
  }
  const [grants, allowances, expiries] = await Promise.all([ofKind("grant"), ofKind("allowance"), ofKind("expiry")])
  if (grants.kind !== "done") return grants
  if (allowances.kind !== "done") return allowances
  if (expiries.kind !== "done") return expiries
  const all = [...grants.data.items, ...allowances.data.items, ...expiries.data.items]
  const left = all.filter(({ value, reversed }) => value > reversed)
  return { kind: "done" as const, data: left.sort((one, other) => other.id - one.id).slice(0, shownBudgetLines) }
})

/** The latest grants and allowances of the current user, and what expired of them, in small type: at most `most`. */
function BudgetLines({ most }: { readonly most: number }) {
  const { home, kinds } = t()
  const { data } = useBudgetLines(me.value?.username ?? "")
  if (data === null || data.length === 0) return null
  return (
    <ul aria-label={home.budgets} class="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm text-muted">
      {data.slice(0, most).map(({ id, kind, value, reversed, reason, date }) => (
        <li key={id} class="flex flex-wrap gap-x-2">
          <span class="font-medium tabular-nums">
            {kind === "expiry" ? "−" : "+"}
            {formatNumber(value - reversed)}
          </span>
          <a class="hover:underline" href={withQuery(addresses.history, { kind })}>
            {kinds[kind]}
          </a>
          {reason !== null && (
            <span dir="auto" class="min-w-0 wrap-anywhere">
              {reason}
            </span>
          )}
          <Time date={date} />
        </li>
      ))}
    </ul>
  )
}

BudgetLines.prefetch = useBudgetLines.prefetch

const durationMs = 700

/** A number that counts up to a higher value. A lower value, and with `prefers-reduced-motion` any, shows at once. */
function Counting({ value }: { value: number }) {
  const [shown, setShown] = useState(value)
  const from = useRef(value)
  useLayoutEffect(() => {
    const start = from.current
    if (value <= start || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      from.current = value
      setShown(value)
      return
    }
    const begun = performance.now()
    let frame = requestAnimationFrame(step)
    function step(now: number) {
      const part = Math.min(1, Math.max(0, (now - begun) / durationMs))
      from.current = Math.round(start + (value - start) * (1 - (1 - part) ** 3))
      setShown(from.current)
      if (part < 1) frame = requestAnimationFrame(step)
    }
    return () => cancelAnimationFrame(frame)
  }, [value])
  return <span>{formatNumber(shown)}</span>
}
