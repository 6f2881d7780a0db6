import { useEffect } from "preact/hooks"
import { useRoute } from "preact-iso"
import { addresses } from "../../addresses.ts"
import { Feed } from "../../feed/feed.tsx"
import { listOf } from "../../feed/lists.ts"
import { GiveBox } from "../../give/give-box.tsx"
import { liveFeed } from "../../live/feed.ts"
import { Skeleton } from "../../parts/skeleton.tsx"
import { Unloaded } from "../../parts/unloaded.tsx"
import { useTitle } from "../../parts/use-title.ts"
import type { Place } from "../../screens.ts"
import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { question } from "../../server/question.ts"
import { me } from "../../session.ts"
import { t } from "../../texts/texts.ts"
import { PersonHead } from "./person-head.tsx"
import { Sums } from "./sums.tsx"

/** Somebody's page. */
export function Person() {
  const { username = "" } = useRoute().params
  return <Of key={username} username={username} />
}

Person.ahead = ({ params: { username = "" } }: Place) =>
  Promise.all([usePerson.ahead(username), listOf(username).begin()])

const usePerson = question((username: string) => ask(api.api.v1.people({ username }).get()))

export type PersonTold = NonNullable<ReturnType<typeof usePerson>["data"]>

function Of({ username }: { username: string }) {
  const { data, failure, refresh } = usePerson(username)
  useTitle(data?.name ?? username)
  useEffect(
    () =>
      liveFeed.listen(null, (entries) => {
        if (entries.some((one) => one.to_username === username || one.from_username === username)) void refresh()
      }),
    [],
  )
  const isOwn = me.value?.username === username
  if (failure?.kind === "refused" && failure.status === 404) return <Nobody username={username} />
  if (failure !== null && data === null) return <Unloaded failure={failure} onRetry={refresh} />
  return (
    <>
      {data === null ? <HeadSkeleton /> : <PersonHead of={data} />}
      <div class="mt-8 grid grid-cols-1 gap-8">
        {data?.received !== null && data?.sent !== null && <Sums received={data?.received} sent={data?.sent} />}
        {data !== null && !isOwn && <GiveBox to={{ kind: "person", ...data }} />}
        <Feed username={username} />
      </div>
    </>
  )
}

function Nobody({ username }: { username: string }) {
  const { person } = t()
  return (
    <div class="grid justify-items-start gap-3 py-16">
      <h1 class="text-2xl font-semibold tracking-tight">{person.nobodyTitle}</h1>
      <p class="text-muted">
        {person.nobody} <b dir="auto">{username}</b>
      </p>
      <a href={addresses.people} class="btn btn-outline mt-3 border-line font-medium">
        {person.toPeople}
      </a>
    </div>
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
