import { History, Pencil, Sparkles, UserCog } from "lucide"
import { useEffect } from "preact/hooks"
import { useRoute } from "preact-iso"
import { accountAddress, addresses, personAddress, withQuery } from "../../addresses.ts"
import { Feed } from "../../feed/feed.tsx"
import { feedListOf } from "../../feed/feed-list.ts"
import { involves, liveFeed } from "../../live.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Icon } from "../../parts/icon.tsx"
import { LoadFailure, NotFound, Skeleton } from "../../parts/placeholders.tsx"
import { Pockets } from "../../parts/pockets.tsx"
import { isSuperuser, mayMaintain } from "../../rights.ts"
import { type ScreenLocation, useTitle } from "../../screen.ts"
import { isNotFound } from "../../server/api.ts"
import { me } from "../../session.ts"
import { t } from "../../texts/texts.ts"
import { TransferBox } from "../../transfer/transfer-box.tsx"
import { Facts, NicestWords } from "./facts.tsx"
import { useMoved } from "./moved.ts"
import { type PersonData, usePerson } from "./person-query.ts"

export function Person() {
  const { username = "" } = useRoute().params
  return <PersonPage key={username} username={username} />
}

Person.prefetch = ({ params: { username = "" } }: ScreenLocation) =>
  Promise.all([usePerson.prefetch(username), feedListOf({ username }).loadFirst()])

function PersonPage({ username }: { username: string }) {
  const { data, failure, refresh } = usePerson(username)
  useTitle(data?.name ?? username)
  useMoved(username, data?.username, personAddress)
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
    <div class="wide @container">
      <div class="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 @min-[54rem]:grid-cols-[minmax(0,1fr)_18rem] @min-[54rem]:grid-rows-[auto_1fr]">
        <div class="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
          {data === null ? <HeadSkeleton /> : <PersonHead of={data} />}
          {data?.active === true && !isOwn && <TransferBox to={{ kind: "person", ...data }} />}
        </div>
        <aside class="@min-[54rem]:row-span-2">
          <div class="grid gap-4 @min-[54rem]:sticky @min-[54rem]:top-10">
            {data === null ? <Skeleton class="h-64 w-full rounded-box" /> : <Facts of={data} />}
          </div>
        </aside>
        <div class="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
          {data?.thanked != null && <NicestWords of={data.thanked.words} />}
          <Feed filter={{ username }} />
        </div>
      </div>
    </div>
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
    <div>
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
      <Links username={username} dept={dept} />
    </div>
  )
}

/** Links that the viewer may use: own profile, account, history. */
function Links({ username, dept }: Pick<PersonData, "username" | "dept">) {
  const { person } = t()
  const isOwn = me.value?.username === username
  const hasAccount = mayMaintain({ username, dept })
  const hasHistory = isOwn || isSuperuser()
  if (!hasAccount && !hasHistory) return null
  const history = withQuery(addresses.history, { username: isSuperuser() ? username : undefined })
  return (
    <p class="mt-5 flex flex-wrap gap-2">
      {isOwn && (
        <a href={addresses.me} class="btn btn-outline border-line font-medium">
          <Icon of={Pencil} class="size-4" />
          {person.edit}
        </a>
      )}
      {hasAccount && (
        <a href={accountAddress(username)} class="btn btn-outline border-line font-medium">
          <Icon of={UserCog} class="size-4" />
          {person.account}
        </a>
      )}
      {hasHistory && (
        <a href={history} class="btn btn-outline border-line font-medium">
          <Icon of={History} class="size-4" />
          {person.history}
        </a>
      )}
      {isOwn && (
        <a href={addresses.recap} class="btn btn-outline border-line font-medium">
          <Icon of={Sparkles} class="size-4" />
          {t().shell.recap}
        </a>
      )}
    </p>
  )
}
