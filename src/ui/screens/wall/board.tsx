import type { RefObject } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { Time } from "../../dates.tsx"
import { addedTo } from "../../feed/additions.ts"
import { occasionEmoji } from "../../occasions/words.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { QrCode } from "../../parts/qr-code.tsx"
import { tagText } from "../../tags.ts"
import { formatNames, formatNumber, formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { areAmountsHidden, useWeek, type WallEntry, type WallWeek } from "./wall-entries.ts"

/**
 * The newest recognition in large type; below it, as many earlier ones as fit. In quiet times, the week's totals
 * alternate with the earlier ones.
 */
export function Board({ entries }: { entries: readonly WallEntry[] }) {
  const [newest, ...before] = entries
  const list = useRef<HTMLOListElement>(null)
  const isEmpty = newest === undefined
  const showsWeek = useQuietTimes(newest?.id)
  const week = useWeek(showsWeek || isEmpty)
  useLayoutEffect(() => animateRows(list.current), [newest?.id])
  if (isEmpty) return <Empty url={week?.url ?? location.origin} />
  if (showsWeek && week !== null)
    return (
      <>
        <Newest key={newest.id} of={newest} />
        <Week of={week} />
      </>
    )
  return (
    <>
      <div aria-live="polite">
        <Newest key={newest.id} of={newest} />
      </div>
      <ol ref={list} class="wall-before">
        {before.map((entry) => (
          <Before key={entry.id} of={entry} />
        ))}
      </ol>
    </>
  )
}

/** After this time without a new entry, earlier entries and the week's totals alternate. */
const quietMs = 180_000
const alternateMs = 60_000

/** Whether to show the week's totals. A new entry ends the quiet time. */
function useQuietTimes(newestId: number | undefined): boolean {
  const [isWeek, setWeek] = useState(false)
  useLayoutEffect(() => {
    setWeek(false)
    let alternation = 0
    const begin = setTimeout(() => {
      setWeek(true)
      alternation = window.setInterval(() => setWeek((before) => !before), alternateMs)
    }, quietMs)
    return () => {
      clearTimeout(begin)
      clearInterval(alternation)
    }
  }, [newestId])
  return isWeek
}

/** Animates the rows when a new recognition arrives. */
function animateRows(list: HTMLElement | null) {
  if (list === null || matchMedia("(prefers-reduced-motion: reduce)").matches) return
  for (const line of list.children)
    line.animate([{ transform: "translateY(-50%)", opacity: 0.4 }, {}], { duration: 700, easing: "ease-out" })
}

/** How large the text of the newest entry may be: as large as fits. */
const scales = [1, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3]
/** Above this, earlier entries have room, too. */
const smallestWithOthers = 0.6

/** Makes the text of an entry smaller until all of it is on the screen. */
function useFittingText(article: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const main = article.current?.closest("main")
    if (!main) return
    const fit = () => {
      for (const scale of scales) {
        article.current?.style.setProperty("--fit", String(scale))
        const most = main.clientHeight * (scale >= smallestWithOthers ? 0.7 : 1)
        if ((article.current?.offsetHeight ?? 0) <= most) return
      }
    }
    const watching = new ResizeObserver(fit)
    watching.observe(main)
    fit()
    return () => watching.disconnect()
  }, [])
}

function Newest({ of }: { of: WallEntry }) {
  const article = useRef<HTMLElement>(null)
  useFittingText(article)
  return (
    <article ref={article} class="wall-newest">
      <div class="wall-line">
        <Faces of={of} />
        <Names of={of} />
        <Points of={of} />
      </div>
      {of.reason !== null && (
        <p dir="auto" class="wall-reason">
          {of.reason}
        </p>
      )}
      {of.tags.length > 0 && <p class="wall-tags">{of.tags.map(tagText).join(" ")}</p>}
    </article>
  )
}

function Before({ of }: { of: WallEntry }) {
  return (
    <li class="wall-line">
      <Faces of={of} />
      <Names of={of} reason={of.reason !== null && of.reason.length <= maxEarlierReason ? of.reason : null} />
      <Points of={of} />
    </li>
  )
}

/** Longer words of earlier entries were large before. */
const maxEarlierReason = 90

/** More faces would leave no room for the names. */
const maxFaces = 4

function Faces({ of: { to } }: { of: WallEntry }) {
  return (
    <span class="wall-face">
      {to.slice(0, maxFaces).map((person) => (
        <Avatar key={person.username} {...person} src={person.avatar} size="asText" />
      ))}
    </span>
  )
}

function Names({ of, reason = null }: { of: WallEntry; reason?: string | null }) {
  return (
    <div class="wall-names">
      <p class="wall-to">
        <bdi>{formatNames(of.to.map(({ name }) => name))}</bdi>
      </p>
      <p class="wall-from">
        {of.occasion === null ? (
          <>
            {t().wall.from} <bdi>{of.from.name}</bdi> ·{" "}
          </>
        ) : (
          <span aria-hidden="true">{occasionEmoji[of.occasion.kind]} </span>
        )}
        {reason === null ? <Time date={of.date} /> : <bdi>{reason}</bdi>}
      </p>
    </div>
  )
}

function Points({ of }: { of: WallEntry }) {
  const { value, to } = of
  const added = addedTo(of).value ?? 0
  if (value === null || areAmountsHidden.value) return null
  // An occasion may have no points but those that colleagues added.
  const main = value > 0 ? value : added
  if (main === 0) return null
  return (
    <p class="wall-points">
      <span aria-hidden="true">+{formatNumber(main)}</span>
      <span class="sr-only">{formatPoints(main)}</span>
      {value > 0 && added > 0 && <span class="wall-each"> +{formatNumber(added)}</span>}
      {to.length > 1 && <span class="wall-each"> {t().feed.each}</span>}
    </p>
  )
}

function Empty({ url }: { url: string }) {
  return (
    <div class="wall-empty">
      <p>{t().wall.empty}</p>
      <Invitation url={url} />
    </div>
  )
}

/** The totals of this week, and the address of the app. */
function Week({ of: { week, url } }: { of: WallWeek }) {
  const { wall } = t()
  return (
    <section class="wall-week" aria-label={wall.week}>
      {week !== null && (
        <div>
          <h2>{wall.week}</h2>
          {week.count === 0 ? (
            <p class="wall-sum">{wall.weekEmpty}</p>
          ) : (
            <>
              <p class="wall-sum">{formatPlural(week.count, wall.thanks)}</p>
              {week.points !== null && <p>{formatPoints(week.points)}</p>}
            </>
          )}
          {week.tags.length > 0 && (
            <ul class="wall-week-tags">
              {week.tags.map(({ tag, count }) => (
                <li key={tag} dir="auto">
                  {tagText(tag)} <span>{formatNumber(count)}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <Invitation url={url} />
    </section>
  )
}

/** The address of the app, as a QR code and as text. */
function Invitation({ url }: { url: string }) {
  const { wall } = t()
  return (
    <div class="wall-invitation">
      <QrCode text={url} label={wall.qrCode} class="wall-qr" />
      <p>{fill(wall.invitation, { address: new URL(url).host })}</p>
    </div>
  )
}
