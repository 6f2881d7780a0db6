import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { addresses, personAddress, recognitionAddress, withQuery } from "../../addresses.ts"
import { formatServerDay, Time } from "../../dates.tsx"
import { formatYearDay } from "../../occasions/year-days.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { tagText } from "../../tags.ts"
import { formatNumber, formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { PersonData } from "./person-query.ts"

/** What there is to know about a person: for what they are thanked, in figures, and where they belong. */
export function Facts({ of }: { of: PersonData }) {
  const { person } = t()
  const { thanked, received, sent } = of
  return (
    <>
      {thanked !== null && thanked.people > 0 && (
        <Section title={person.thankedFor}>
          <p>{formatPlural(thanked.people, person.thankedBy)}</p>
          {thanked.tags.length > 0 && <Tags of={thanked.tags} />}
        </Section>
      )}
      {received !== null && sent !== null && (
        <dl class="grid grid-cols-2 gap-2">
          <Side name={person.received} sum={received} isWarm />
          <Side name={person.given} sum={sent} />
        </dl>
      )}
      <Section title={person.about}>
        <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2.5">
          <Fact name={person.department}>
            <a href={withQuery(addresses.people, { department: of.dept })} dir="auto" class="hover:underline">
              {of.dept}
            </a>
          </Fact>
          {of.manager !== null && (
            <Fact name={person.manager}>
              <a href={personAddress(of.manager)} class="inline-flex items-center gap-2 hover:underline">
                <Avatar
                  name={of.manager_name ?? of.manager}
                  username={of.manager}
                  src={of.manager_avatar}
                  size="tiny"
                />
                <bdi>{of.manager_name}</bdi>
              </a>
            </Fact>
          )}
          {of.joined !== null && <Fact name={person.joined}>{formatServerDay(of.joined)}</Fact>}
          {of.birthday !== null && <Fact name={person.birthday}>{formatYearDay(of.birthday)}</Fact>}
        </dl>
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <section aria-labelledby={id} class="grid gap-2.5 rounded-box bg-base-100 p-4">
      <h2 id={id} class="text-sm font-medium text-muted">
        {title}
      </h2>
      {children}
    </section>
  )
}

type Thanked = NonNullable<PersonData["thanked"]>

function Tags({ of }: { of: Thanked["tags"] }) {
  const most = of[0]?.count ?? 1
  return (
    <ul class="grid gap-1.5">
      {of.map(({ tag, count }) => (
        <li key={tag} class="relative flex justify-between gap-3 overflow-hidden rounded-field px-2.5 py-1">
          <span
            class="absolute inset-y-0 start-0 rounded-field bg-warm/14"
            style={{ width: `${(100 * count) / most}%` }}
            aria-hidden="true"
          />
          <span dir="auto" class="relative">
            {tagText(tag)}
          </span>
          <span class="relative text-muted tabular-nums">{formatNumber(count)}</span>
        </li>
      ))}
    </ul>
  )
}

interface FactProps {
  readonly name: string
  readonly children: ComponentChildren
}

function Fact({ name, children }: FactProps) {
  return (
    <>
      <dt class="text-muted">{name}</dt>
      <dd class="min-w-0 break-words">{children}</dd>
    </>
  )
}

interface SideProps {
  readonly name: string
  /** Points, null where the reader may not see them, and the number of transfers. */
  readonly sum: { readonly points: number | null; readonly count: number }
  readonly isWarm?: boolean
}

function Side({ name, sum, isWarm = false }: SideProps) {
  return (
    <div class="rounded-box bg-base-100 p-4">
      <dt class="text-sm text-muted">{name}</dt>
      <dd class="mt-1">
        {sum.points !== null && (
          <span class={`block text-2xl font-semibold tracking-tight tabular-nums ${isWarm ? "text-warm" : ""}`}>
            {formatNumber(sum.points)}
          </span>
        )}
        <span class="block text-sm text-muted tabular-nums">{formatPlural(sum.count, t().person.times)}</span>
      </dd>
    </div>
  )
}

/** What colleagues wrote to this person, and others liked most. */
export function NicestWords({ of }: { of: Thanked["words"] }) {
  const id = useId()
  if (of.length === 0) return null
  return (
    <section aria-labelledby={id} class="grid gap-3">
      <h2 id={id} class="font-semibold">
        {t().person.words}
      </h2>
      <ul class="grid gap-2.5">
        {of.map(({ recognition, text, name, username, avatar, date }) => (
          <li key={recognition}>
            <figure class="grid gap-2 rounded-box border-s-3 border-warm/50 bg-base-100 px-4 py-3">
              <blockquote dir="auto" class="line-clamp-4 whitespace-pre-line">
                {text}
              </blockquote>
              <figcaption class="flex items-center gap-2 text-sm text-muted">
                <Avatar name={name} username={username} src={avatar} size="tiny" />
                <a href={personAddress(username)} class="hover:underline">
                  <bdi>{name}</bdi>
                </a>
                <span aria-hidden="true">·</span>
                <a href={recognitionAddress(recognition)} class="hover:underline">
                  <Time date={date} />
                </a>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  )
}
