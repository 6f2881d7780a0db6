import { History, Pencil, UserCog } from "lucide"
import { useEffect } from "preact/hooks"
import { useRoute } from "preact-iso"
import { accountAddress, addresses, withQuery } from "../addresses.ts"
import { Feed } from "../feed/feed.tsx"
import { feedListOf } from "../feed/feed-list.ts"
import { involves, liveFeed } from "../live.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Icon } from "../parts/icon.tsx"
import { LoadFailure, NotFound, Skeleton } from "../parts/placeholders.tsx"
import { Pockets } from "../parts/pockets.tsx"
import { type ScreenLocation, useTitle } from "../screen.ts"
import { api, isNotFound, request } from "../server/api.ts"
import { createQuery } from "../server/query.ts"
import { me } from "../session.ts"
import { formatNumber, formatPlural } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { TransferBox } from "../transfer/transfer-box.tsx"

export function Person() {
  const { username = "" } = useRoute().params
  return <PersonPage key={username} username={username} />
}

Person.prefetch = ({ params: { username = "" } }: ScreenLocation) =>
  Promise.all([usePerson.prefetch(username), feedListOf({ username }).loadFirst()])

const usePerson = createQuery((username: string) => request(api.api.v1.people({ username }).get()))

type PersonData = NonNullable<ReturnType<typeof usePerson>["data"]>

function PersonPage({ username }: { username: string }) {
  const { data, failure, refresh } = usePerson(username)
  useTitle(data?.name ?? username)
  useEffect(
    () =>
      liveFeed.listen(null, (entries) => {
        if (entries.some((one) => involves(one, username))) void refresh()
      }),
    [],
  )
  const isOwn = me.value?.username === username
  if (failure !== null && isNotFound(failure)) return <Nobody username={username} />
  if (failure !== null && data === null) return <LoadFailure failure={failure} onRetry={refresh} />
  return (
    <>
      {data === null ? <HeadSkeleton /> : <PersonHead of={data} />}
      <div class="mt-8 grid grid-cols-1 gap-8">
        {data?.received !== null && data?.sent !== null && <Totals received={data?.received} sent={data?.sent} />}
        {data?.active === true && !isOwn && <TransferBox to={{ kind: "person", ...data }} />}
        <Feed filter={{ username }} />
      </div>
    </>
  )
}

function Nobody({ username }: { username: string }) {
  const { person } = t()
  return (
    <NotFound title={person.nobodyTitle} to={addresses.people} link={person.toPeople}>
      {person.nobody} <b dir="auto">{username}</b>
    </NotFound>
  )
}

function HeadSkeleton() {
  return (
    <div class="flex items-center gap-5">
      <Skeleton class="size-20 rounded-full" />
      <div class="grid gap-2.5">
        <Skeleton class="h-6 w-44" />
        <Skeleton class="h-4 w-32" />
      </div>
    </div>
  )
}

/** Picture, names, department and bio; on the own page also the points. */
function PersonHead({ of: { name, username, dept, avatar, bio, active } }: { of: PersonData }) {
  return (
    <>
      <div class="flex flex-wrap items-center gap-x-5 gap-y-4">
        <Avatar name={name} username={username} src={avatar} size="large" />
        <div class="min-w-[min(100%,12rem)] flex-1">
          <h1 class="text-2xl font-semibold tracking-tight">
            <bdi>{name}</bdi>
          </h1>
          <p class="text-muted">
            <bdi>{username}</bdi>
            <span aria-hidden="true"> · </span>
            <bdi>{dept}</bdi>
          </p>
          {!active && <p class="text-sm font-medium">{t().person.inactive}</p>}
        </div>
      </div>
      {bio && (
        <p dir="auto" class="mt-5 max-w-prose whitespace-pre-line">
          {bio}
        </p>
      )}
      {me.value?.username === username && (
        <div class="mt-5 max-w-xs">
          <Pockets />
        </div>
      )}
      <Links username={username} />
    </>
  )
}

/** Links that the viewer may use: own profile, account, history. */
function Links({ username }: { username: string }) {
  const { person } = t()
  const isOwn = me.value?.username === username
  const isSuperuser = me.value?.role === "superuser"
  if (!isOwn && !isSuperuser) return null
  const history = withQuery(addresses.history, { username: isSuperuser ? username : undefined })
  return (
    <p class="mt-5 flex flex-wrap gap-2">
      {isOwn && (
        <a href={addresses.me} class="btn btn-outline border-line font-medium">
          <Icon of={Pencil} class="size-4" />
          {person.edit}
        </a>
      )}
      {isSuperuser && (
        <a href={accountAddress(username)} class="btn btn-outline border-line font-medium">
          <Icon of={UserCog} class="size-4" />
          {person.account}
        </a>
      )}
      <a href={history} class="btn btn-outline border-line font-medium">
        <Icon of={History} class="size-4" />
        {person.history}
      </a>
    </p>
  )
}

interface Total {
  readonly points: number
  /** The number of transfers. */
  readonly count: number
}

interface TotalsProps {
  readonly received: Total | undefined
  readonly sent: Total | undefined
}

/** What the person received and sent in total; undefined while loading. */
function Totals({ received, sent }: TotalsProps) {
  const { person } = t()
  return (
    <dl class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-4">
      <Side name={person.received} sum={received} />
      <Side name={person.given} sum={sent} />
    </dl>
  )
}

function Side({ name, sum }: { name: string; sum: Total | undefined }) {
  return (
    <div class="rounded-box bg-base-100 p-4">
      <dt class="text-sm text-muted">{name}</dt>
      <dd class="mt-1">
        <span class="block text-2xl font-semibold tracking-tight tabular-nums">
          {sum === undefined ? <Skeleton class="h-8 w-20" /> : formatNumber(sum.points)}
        </span>
        <span class="block text-sm text-muted tabular-nums">
          {sum === undefined ? <Skeleton class="mt-1 h-4 w-16" /> : formatPlural(sum.count, t().person.times)}
        </span>
      </dd>
    </div>
  )
}
