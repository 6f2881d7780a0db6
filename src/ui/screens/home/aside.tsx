import { useSignalEffect } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { fill } from "../../../languages/writing.ts"
import { addresses, personAddress, withQuery } from "../../addresses.ts"
import { UpcomingPart } from "../../occasions/upcoming-part.tsx"
import { Avatar } from "../../parts/avatar.tsx"
import { Empty, Skeleton } from "../../parts/placeholders.tsx"
import { unseenCount } from "../../received/unseen.ts"
import { mayOpen, seesLeaderboard } from "../../rights.ts"
import { api, request } from "../../server/api.ts"
import { createQuery, type QueryResult } from "../../server/query.ts"
import { me } from "../../session.ts"
import { formatNumber, formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { draftFor } from "../../transfer/draft.ts"
import { lastSent } from "../../transfer/outbox.ts"
import type { Receiver } from "../../transfer/transfer.ts"
import { useRequests } from "./open-requests.ts"
import { Section } from "./section.tsx"

const shownLeaders = 5
const shownOccasions = 4

const useLeaders = createQuery((_: null) =>
  request(api.api.v1.leaderboard.get({ query: { period: "month", by: "received", size: String(shownLeaders) } })),
)
const useGiven = createQuery((_: null) =>
  request(api.api.v1.leaderboard.get({ query: { period: "month", by: "sent", size: "1" } })),
)

/**
 * The second column of the home screen, on a desktop: `programme`, the card of those who run it, then open requests, whom
 * to celebrate, what the user gave this month, and who received most. `lines`: the latest grants and allowances of the
 * user, and what expired of them.
 */
export function Aside({ programme, lines }: { programme: ComponentChildren; lines: ComponentChildren }) {
  const { home } = t()
  return (
    <>
      {programme}
      <Section title={home.due}>
        <OpenTasks />
      </Section>
      <UpcomingPart most={shownOccasions} choose={chooseReceiver} />
      <Section title={home.budget}>
        {seesLeaderboard() && <GivenThisMonth />}
        {lines}
      </Section>
      {seesLeaderboard() && (
        <Section title={home.leaders}>
          <Leaders />
        </Section>
      )}
    </>
  )
}

/** Puts somebody into the box of this screen, unless it holds something else. */
function chooseReceiver(person: Receiver): boolean {
  const { isBlank, to } = draftFor(null)
  if (!isBlank.peek()) return false
  to.value = [person]
  return true
}

function OpenTasks() {
  const { home } = t()
  const { data } = useRequests(null)
  const answers = mayOpen(addresses.adminRewards)
  const count = data?.items.length ?? 0
  const unseen = unseenCount.value
  if (data === null) return <Skeleton class="h-6 w-full" />
  if (count === 0 && unseen === null) return <p>{home.nothingDue}</p>
  return (
    <ul class="grid gap-1">
      {unseen !== null && <li>{fill(home.unseen, { count: unseen })}</li>}
      {count > 0 && (
        <li>
          <a class="link link-hover text-primary" href={answers ? addresses.adminRewards : addresses.rewards}>
            {formatPlural(count, answers ? home.openRequests : home.ownRequests)}
          </a>
        </li>
      )}
      {count === 0 && answers && <li class="text-muted">{home.noRequests}</li>}
    </ul>
  )
}

/** Loads the data again when a transfer of the user is recorded. */
function useWithOwnTransfers<T>(query: QueryResult<T>): QueryResult<T> {
  useSignalEffect(() => {
    if (lastSent.value !== null) void query.refreshQuietly()
  })
  return query
}

function GivenThisMonth() {
  const { home } = t()
  const { data } = useWithOwnTransfers(useGiven(null))
  if (data === null) return <Skeleton class="h-6 w-full" />
  return (
    <p>
      <a class="hover:underline" href={withQuery(addresses.history, { from_user: me.value?.username })}>
        {data.own.points === 0
          ? home.givenNone
          : fill(home.given, { points: formatPoints(data.own.points), times: formatNumber(data.own.count) })}
      </a>
    </p>
  )
}

function Leaders() {
  const { home } = t()
  const { data } = useWithOwnTransfers(useLeaders(null))
  if (data === null) return <Skeleton class="h-52 w-full" />
  if (data.items.length === 0) return <Empty drawing="podium">{home.noLeaders}</Empty>
  return (
    <>
      <ol class="grid grid-cols-1 gap-1">
        {data.items.map(({ username, name, avatar, rank, points }) => (
          <li key={username}>
            <a href={personAddress(username)} class="flex min-h-9 items-center gap-2.5 rounded-field hover:bg-base-200">
              <span class="w-4 text-end text-xs text-muted tabular-nums">{formatNumber(rank ?? 0)}</span>
              <Avatar name={name} username={username} src={avatar} size="small" />
              <span dir="auto" class="min-w-0 grow wrap-anywhere">
                {name}
              </span>
              {points !== null && (
                <span class="shrink-0 font-medium text-warm tabular-nums">
                  <span aria-hidden="true">{formatNumber(points)}</span>
                  <span class="sr-only">{formatPoints(points)}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ol>
      <a href={addresses.leaderboard} class="link link-hover justify-self-start text-sm text-primary">
        {home.allLeaders}
      </a>
    </>
  )
}
