import { useLayoutEffect, useRef } from "preact/hooks"
import { Avatar } from "../../parts/avatar.tsx"
import { Time } from "../../parts/time.tsx"
import { fill, formatNumber, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { WallEntry } from "./wall-entries.ts"

/** The newest recognition in large type, earlier ones below, as many as fit. */
export function Board({ entries }: { entries: readonly WallEntry[] }) {
  const [newest, ...before] = entries
  const list = useRef<HTMLOListElement>(null)
  useLayoutEffect(() => makeRoom(list.current), [newest?.id])
  if (newest === undefined) return <Empty />
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

/** Animates the rows when a new recognition arrives. */
function makeRoom(list: HTMLElement | null) {
  if (list === null || matchMedia("(prefers-reduced-motion: reduce)").matches) return
  for (const line of list.children)
    line.animate([{ transform: "translateY(-50%)", opacity: 0.4 }, {}], { duration: 700, easing: "ease-out" })
}

function Newest({ of }: { of: WallEntry }) {
  return (
    <article class="wall-newest">
      <div class="wall-line">
        <span class="wall-face">
          <Avatar {...of.to} src={of.to.avatar} size="asText" />
        </span>
        <Names of={of} />
        <Points value={of.value} />
      </div>
      {of.reason !== null && (
        <p dir="auto" class="wall-reason">
          {of.reason}
        </p>
      )}
      {of.tags.length > 0 && <p class="wall-tags">{of.tags.join(" · ")}</p>}
    </article>
  )
}

function Before({ of }: { of: WallEntry }) {
  return (
    <li class="wall-line">
      <span class="wall-face">
        <Avatar {...of.to} src={of.to.avatar} size="asText" />
      </span>
      <Names of={of} reason={of.reason} />
      <Points value={of.value} />
    </li>
  )
}

function Names({ of, reason = null }: { of: WallEntry; reason?: string | null }) {
  return (
    <div class="wall-names">
      <p class="wall-to">
        <bdi>{of.to.name}</bdi>
      </p>
      <p class="wall-from">
        {t().wall.from} <bdi>{of.from.name}</bdi> · {reason === null ? <Time date={of.date} /> : <bdi>{reason}</bdi>}
      </p>
    </div>
  )
}

function Points({ value }: { value: number }) {
  return (
    <p class="wall-points">
      <span aria-hidden="true">+{formatNumber(value)}</span>
      <span class="sr-only">{formatPoints(value)}</span>
    </p>
  )
}

function Empty() {
  const { wall } = t()
  return (
    <div class="wall-empty">
      <p>{wall.empty}</p>
      <p>{fill(wall.invitation, { address: location.host })}</p>
    </div>
  )
}
