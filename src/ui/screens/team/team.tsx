import { signal, useSignal, useSignalEffect } from "@preact/signals"
import type { ComponentChildren, FunctionComponent } from "preact"
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../../languages/writing.ts"
import { addresses, personAddress, withQuery } from "../../addresses.ts"
import { formatServerDay, ServerDay } from "../../dates.tsx"
import { focusTransferBox } from "../../palette/commands.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Button } from "../../parts/button.tsx"
import { Choice } from "../../parts/choice.tsx"
import { Notice } from "../../parts/form.tsx"
import { Empty, LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { type ScreenLocation, useTitle } from "../../screen.ts"
import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { me } from "../../session.ts"
import { formatNumber, formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { lastSent } from "../../transfer/outbox.ts"
import type { Thanking } from "./thanking.tsx"

const depths = ["direct", "all"] as const
type Depth = (typeof depths)[number]

const depthOf = ({ depth }: ScreenLocation["query"]): Depth => (depth === "all" ? depth : "direct")

const useTeam = createQuery((depth: Depth) => request(api.api.v1.team.get({ query: { depth } })))

type Member = NonNullable<ReturnType<typeof useTeam>["data"]>["items"][number]

/** Managers see here who of their team was thanked, and who was not for a while, and thank them. */
export function Team() {
  const depth = depthOf(useLocation().query)
  return <TeamPage key={depth} depth={depth} />
}

Team.prefetch = ({ query }: ScreenLocation) => useTeam.prefetch(depthOf(query))

function TeamPage({ depth }: { depth: Depth }) {
  const { team } = t()
  const { data, failure, refresh, refreshQuietly } = useTeam(depth)
  useTitle(team.title)
  useEffect(() => void loadThanking(), [])
  useSignalEffect(() => {
    if (lastSent.value !== null) void refreshQuietly()
  })
  return (
    <>
      <h1 class="text-xl font-semibold tracking-tight">{team.title}</h1>
      {data === null && failure !== null && <LoadFailure failure={failure} onRetry={refresh} />}
      {data === null && failure === null && <TeamSkeleton />}
      {data !== null && data.items.length === 0 && <Nobody />}
      {data !== null && data.items.length > 0 && (
        <>
          <p class="mt-1 text-muted">
            {fill(team.summary, {
              thanked: formatNumber(data.items.filter(isThanked).length),
              all: formatPlural(data.items.length, t().give.people),
            })}
          </p>
          <div class="mt-4">
            <Choice
              label={team.whom}
              options={depths.map((one) => ({ name: team.depths[one], address: addressOf(one) }))}
              chosen={addressOf(depth)}
            />
          </div>
          <Members of={data.items} />
        </>
      )}
    </>
  )
}

const addressOf = (depth: Depth) => withQuery(addresses.team, { depth: depth === "all" ? depth : undefined })

/** Within the days that the answer covers. */
const isThanked = (member: Member): boolean => member.received_count > 0

function Nobody() {
  const { team } = t()
  return (
    <Empty drawing="search">
      <p>{team.empty}</p>
      <a href={addresses.people} class="btn btn-outline border-line font-medium">
        {team.everybody}
      </a>
    </Empty>
  )
}

function TeamSkeleton() {
  return (
    <div class="mt-8">
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} class="flex min-h-20 items-center gap-3 py-3">
          <Skeleton class="size-10 rounded-full" />
          <span class="grid gap-1.5">
            <Skeleton class="h-3.5 w-40" />
            <Skeleton class="h-3 w-56" />
          </span>
        </div>
      ))}
    </div>
  )
}

/** Those who were not thanked for long, then the others. Everybody stays in place until the screen is opened again. */
function Members({ of }: { of: readonly Member[] }) {
  const { team } = t()
  const waiting = useRef(new Set(of.filter((one) => !isThanked(one)).map(({ username }) => username))).current
  const places = useRef(new Map(of.map(({ username }, index) => [username, index]))).current
  const placeOf = ({ username }: Member) => places.get(username) ?? of.length
  const inPlace = of.toSorted((one, other) => placeOf(one) - placeOf(other))
  const chosen = useSignal<string | null>(null)
  useSignalEffect(() => {
    if (lastSent.value?.to.some((one) => one.kind === "person" && one.username === chosen.peek())) chosen.value = null
  })
  const rowOf = (member: Member) => (
    <MemberRow
      key={member.username}
      of={member}
      isChosen={chosen.value === member.username}
      onChoose={() => {
        chosen.value = member.username
      }}
    />
  )
  return (
    <>
      <Group title={team.waiting} members={inPlace.filter(({ username }) => waiting.has(username))} rowOf={rowOf} />
      <Group title={team.thanked} members={inPlace.filter(({ username }) => !waiting.has(username))} rowOf={rowOf} />
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly members: readonly Member[]
  readonly rowOf: (member: Member) => ComponentChildren
}

/** A whole company below somebody would be thousands of rows. */
const rowsAtOnce = 50

function Group({ title, members, rowOf }: GroupProps) {
  const id = useId()
  const shown = useSignal(rowsAtOnce)
  if (members.length === 0) return null
  return (
    <section aria-labelledby={id} class="mt-8">
      <h2 id={id} class="text-sm font-medium text-muted">
        {title} <span class="tabular-nums">({formatNumber(members.length)})</span>
      </h2>
      <ul class="mt-1 divide-y divide-line">{members.slice(0, shown.value).map(rowOf)}</ul>
      {members.length > shown.value && (
        <p class="mt-3">
          <Button look="plain" onClick={() => (shown.value += rowsAtOnce)}>
            {t().team.more}
          </Button>
        </p>
      )}
    </section>
  )
}

/** The box to thank somebody; loaded once the team is shown, so that a first visit shows it sooner. */
const thanking = signal<FunctionComponent<Parameters<typeof Thanking>[0]> | null>(null)
const isMissing = signal(false)

async function loadThanking() {
  if (thanking.value !== null) return
  try {
    const loaded = await import("./thanking.tsx")
    thanking.value = loaded.Thanking
    isMissing.value = false
  } catch {
    isMissing.value = true
  }
}

interface MemberRowProps {
  readonly of: Member
  /** Whether the box to thank this person is open. */
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function MemberRow({ of, isChosen, onChoose }: MemberRowProps) {
  const { give, team } = t()
  const { username, name, dept, avatar, joined, manager, manager_name } = of
  const Box = thanking.value
  useLayoutEffect(() => {
    if (!isChosen) return
    void loadThanking()
    focusTransferBox()
  }, [isChosen])
  const sent = lastSent.value?.to ?? []
  const isSent = sent.some((one) => one.kind === "person" && one.username === username)
  return (
    <li class="grid grid-cols-1 gap-3 py-3.5">
      <div class="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div class="flex min-w-0 grow basis-72 gap-3">
          <Avatar name={name} username={username} src={avatar} />
          <div class="min-w-0 wrap-anywhere">
            <a href={personAddress(username)} class="font-medium hover:underline pointer-coarse:py-2">
              <bdi>{name}</bdi>
            </a>
            <p class="text-sm text-muted">
              <bdi>{dept}</bdi>
              {manager !== me.value?.username && <> · {fill(team.reportsTo, { name: manager_name ?? "" })}</>}
              {joined !== null && <> · {fill(team.joined, { day: formatServerDay(joined) })}</>}
            </p>
            <dl class="mt-1 grid gap-x-6 text-sm sm:flex sm:flex-wrap">
              <Fact name={team.lastThanked}>
                {of.last_thanked === null ? team.never : <ServerDay day={of.last_thanked} />}
              </Fact>
              {isThanked(of) && <Fact name={team.received}>{sumOf(of.received_count, of.received)}</Fact>}
              <Fact name={team.given}>{of.given_count === 0 ? team.nothing : sumOf(of.given_count, of.given)}</Fact>
            </dl>
          </div>
        </div>
        <button
          type="button"
          class="btn btn-outline h-auto min-h-(--size) max-w-full border-line font-medium whitespace-normal max-sm:ms-13"
          aria-expanded={isChosen}
          aria-label={fill(team.thankPerson, { name })}
          onClick={() => (isChosen ? focusTransferBox() : onChoose())}
        >
          {team.thank}
        </button>
      </div>
      <output class="text-sm text-warm empty:hidden">{isSent && fill(give.sentTo, { name })}</output>
      {Box !== null && <Box person={{ kind: "person", username, name, dept, avatar }} hasBox={isChosen} />}
      {isChosen && isMissing.value && <Notice kind="error">{t().failures.part}</Notice>}
    </li>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="flex flex-wrap gap-x-1.5">
      <dt class="text-muted">{name}</dt>
      <dd class="tabular-nums">{children}</dd>
    </div>
  )
}

/** How often, and how many points where the viewer may see them. */
const sumOf = (count: number, points: number | null): string =>
  [formatPlural(count, t().person.times), ...(points === null ? [] : [formatPoints(points)])].join(", ")
