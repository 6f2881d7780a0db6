import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { personAddress, recognitionAddress } from "../../addresses.ts"
import { formatShortDay, now, parseDate } from "../../dates.tsx"
import { Avatar } from "../../parts/avatar.tsx"
import { Logo } from "../../parts/icon.tsx"
import { serviceName } from "../../screen.ts"
import { me } from "../../session.ts"
import { tagText } from "../../tags.ts"
import { formatNumber, formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { longMonth, narrowMonth, type Period, periodText, shortMonth } from "./period.ts"
import type { RecapData } from "./query.ts"

interface PosterProps {
  readonly of: RecapData
  /** The name of the person, or of the company. */
  readonly title: string
  readonly period: Period
}

/** The page that people show. On paper it fills one sheet, in colour. */
export function Poster({ of, title, period }: PosterProps) {
  const { recap } = t()
  const { departments = [] } = of
  const isCompany = of.departments !== undefined
  const longest = of.words.some(({ recognition }) => recognition === of.longest?.recognition) ? null : of.longest
  const letters = [...of.words, ...(longest ? [longest] : [])].reduce((sum, { text }) => sum + text.length, 0)
  const look = { isCompany, isLong: letters > maxLetters }
  return (
    <article
      class={`grid grid-cols-1 gap-6 rounded-box bg-base-100 p-5 sm:p-8 print:gap-3 print:p-0 print:text-sm print:[print-color-adjust:exact] ${look.isLong ? "print:[zoom:0.8]" : ""}`}
    >
      <header class="flex flex-wrap items-center gap-4">
        {!isCompany && me.value && (
          <Avatar name={title} username={me.value.username} src={me.value.avatar} size="large" />
        )}
        <div class="min-w-[min(100%,12rem)] flex-1">
          <h2 dir="auto" class="text-2xl font-semibold tracking-tight">
            {title}
          </h2>
          <p class="text-muted">
            {periodText(period)}
            {!of.ended && ` · ${recap.soFar}`}
          </p>
        </div>
      </header>
      <dl class="grid gap-4 sm:grid-cols-2 print:grid-cols-2">
        {isCompany ? (
          <>
            <Figure name={recap.recognition} value={of.received.count} text={timesOf(of.received.count)}>
              {formatPoints(of.received.points)}
            </Figure>
            <Figure
              name={recap.tookPart}
              value={of.received.people}
              text={formatPlural(of.received.people, t().give.people)}
            >
              {formatPlural(of.given.people, recap.gave)}
            </Figure>
          </>
        ) : (
          <>
            <Figure name={recap.received} value={of.received.points} text={formatPoints(of.received.points)}>
              {fill(formatPlural(of.received.people, recap.fromPeople), { times: timesOf(of.received.count) })}
            </Figure>
            <Figure name={recap.given} value={of.given.points} text={formatPoints(of.given.points)}>
              {fill(formatPlural(of.given.people, recap.toPeople), { times: timesOf(of.given.count) })}
            </Figure>
          </>
        )}
      </dl>
      {of.months.length > 1 && <Months of={of} isCompany={isCompany} />}
      {of.tags.length > 0 && (
        <Part title={recap.tags}>
          <ul class="flex flex-wrap gap-2">
            {of.tags.map(({ tag, count }) => (
              <li key={tag} class="rounded-field bg-warm/10 px-3 py-1.5 font-medium">
                {tagText(tag)} <span class="font-normal text-muted tabular-nums">{timesOf(count)}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {of.words.length > 0 && (
        <Part title={recap.words}>
          <div class="grid gap-4 print:gap-2">
            {of.words.map((one) => (
              <Words key={one.recognition} of={one} {...look} />
            ))}
          </div>
        </Part>
      )}
      {longest && (
        <Part title={recap.longest}>
          <Words of={longest} {...look} />
        </Part>
      )}
      <div class="grid gap-6 sm:grid-cols-2 print:grid-cols-2 print:gap-3">
        {of.people.length > 0 && (
          <Part title={isCompany ? recap.mostThanked : recap.together}>
            <ul class="grid gap-1">
              {of.people.map(({ username, name, avatar, received, given }) => (
                <li key={username}>
                  <a
                    href={personAddress(username)}
                    class="flex min-h-11 items-center gap-3 rounded-field print:min-h-6"
                  >
                    <Avatar name={name} username={username} src={avatar} size="small" />
                    <span class="min-w-0 grow">
                      <bdi>{name}</bdi>
                    </span>
                    <span class="shrink-0 text-sm text-muted tabular-nums">
                      {timesOf(isCompany ? received : received + given)}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </Part>
        )}
        {departments.length > 1 && (
          <Part title={recap.departments}>
            <ul class="grid gap-1">
              {departments.slice(0, maxDepartments).map(({ name, received }) => (
                <li key={name} class="flex min-h-11 items-center gap-3 print:min-h-6">
                  <span dir="auto" class="min-w-0 grow">
                    {name}
                  </span>
                  <span class="shrink-0 text-sm text-muted tabular-nums">{timesOf(received.count)}</span>
                </li>
              ))}
            </ul>
          </Part>
        )}
        {(of.first || of.last) && (
          <Part title={recap.firstAndLast}>
            <ul class="grid gap-1">
              {[of.first, of.last?.recognition === of.first?.recognition ? null : of.last].map(
                (entry) => entry && <Entry key={entry.recognition} of={entry} />,
              )}
            </ul>
          </Part>
        )}
      </div>
      <footer class="flex items-center gap-2.5 border-t border-line pt-4 text-sm print:pt-2 text-muted">
        <Logo />
        <span dir="auto">{serviceName}</span>
      </footer>
    </article>
  )
}

/** More letters fit on a sheet only when they are small. */
const maxLetters = 700
/** More departments do not fit on it. */
const maxDepartments = 6

const timesOf = (count: number): string => formatPlural(count, t().recap.times)

interface FigureProps {
  readonly name: string
  readonly value: number
  /** The value with what it counts, such as `1,250 points`. */
  readonly text: string
  readonly children: ComponentChildren
}

function Figure({ name, value, text, children }: FigureProps) {
  const number = formatNumber(value)
  const [before = "", after = ""] = text.split(number)
  return (
    <div class="rounded-box bg-warm/10 px-5 py-4 print:py-3">
      <dt class="text-sm font-medium text-warm">{name}</dt>
      <dd class="text-xl">
        {before}
        <span class="text-5xl font-semibold tracking-tight tabular-nums print:text-2xl">{number}</span>
        {after}
      </dd>
      <dd class="mt-1 text-muted">{children}</dd>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <section aria-labelledby={id} class="min-w-0 break-inside-avoid">
      <h3 id={id} class="mb-2 text-sm font-medium text-muted print:mb-1">
        {title}
      </h3>
      {children}
    </section>
  )
}

/** A bar for each month: what was received, and of a person beside it what was given. */
function Months({ of: { months, most_active_month }, isCompany }: { of: RecapData; isCompany: boolean }) {
  const { recap } = t()
  const most = Math.max(...months.flatMap(({ received, given }) => [received, given]))
  const height = (count: number) => ({ height: `${most === 0 ? 0 : (100 * count) / most}%` })
  return (
    <Part
      title={
        most_active_month === null ? recap.months : fill(recap.mostActive, { month: longMonth(most_active_month) })
      }
    >
      <ol class="flex gap-1 sm:gap-2">
        {months.map(({ month, received, given }) => (
          <li key={month} class="min-w-0 flex-1 text-center text-xs text-muted">
            <span class="flex h-20 items-end print:h-12 justify-center gap-0.5 border-b border-line" aria-hidden="true">
              <span class="w-full max-w-6 rounded-t-selector bg-warm" style={height(received)} />
              {!isCompany && <span class="w-full max-w-6 rounded-t-selector bg-primary/60" style={height(given)} />}
            </span>
            <span class={months.length > 4 ? "max-sm:hidden" : ""} aria-hidden="true">
              {shortMonth(month)}
            </span>
            {months.length > 4 && (
              <span class="sm:hidden" aria-hidden="true">
                {narrowMonth(month)}
              </span>
            )}
            <span class="sr-only">
              {fill(isCompany ? recap.companyMonth : recap.month, {
                month: longMonth(month),
                received: timesOf(received),
                given: timesOf(given),
              })}
            </span>
          </li>
        ))}
      </ol>
      {!isCompany && (
        <p class="mt-2 flex flex-wrap gap-x-4 text-xs text-muted" aria-hidden="true">
          <span class="flex items-center gap-1.5">
            <span class="size-2.5 rounded-full bg-warm" />
            {recap.received}
          </span>
          <span class="flex items-center gap-1.5">
            <span class="size-2.5 rounded-full bg-primary/60" />
            {recap.given}
          </span>
        </p>
      )}
    </Part>
  )
}

interface WordsProps {
  readonly of: RecapData["words"][number]
  readonly isCompany: boolean
  readonly isLong: boolean
}

function Words({ of: { recognition, text, from, to, date }, isCompany, isLong }: WordsProps) {
  return (
    <figure class="border-s-4 border-warm ps-4">
      <blockquote
        dir="auto"
        class={`text-xl leading-snug whitespace-pre-line ${isLong ? "print:text-sm print:leading-snug" : ""}`}
      >
        {text}
      </blockquote>
      <figcaption class="mt-1 text-sm text-muted">
        <a href={recognitionAddress(recognition)} class="link-hover">
          {isCompany ? thanked(from.name, to.name) : <bdi>{from.name}</bdi>}, {dayOf(date)}
        </a>
      </figcaption>
    </figure>
  )
}

function Entry({ of: { recognition, from, to, date } }: { of: NonNullable<RecapData["first"]> }) {
  return (
    <li>
      <a href={recognitionAddress(recognition)} class="flex min-h-11 flex-wrap items-center gap-x-3 print:min-h-6">
        <span class="min-w-0 grow">{thanked(from.name, to.name)}</span>
        <span class="shrink-0 text-sm text-muted tabular-nums">{dayOf(date)}</span>
      </a>
    </li>
  )
}

const dayOf = (date: string): string => formatShortDay(parseDate(date), now.value)

/** `Ana thanked Bruno`. Names are isolated, since each may be written in either direction. */
const thanked = (from: string, to: string): string =>
  fill(t().recap.thanked, { from: `\u2068${from}\u2069`, to: `\u2068${to}\u2069` })
