import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { Time } from "../../dates.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { Notice } from "../../parts/form.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { type Answer, api, isNotFound, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { createQuery, type QueryResult } from "../../server/query.ts"
import { fill, formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

export const useSessions = createQuery((_: null) => request(api.api.v1.me.sessions.get()))

type Open = NonNullable<ReturnType<typeof useSessions>["data"]>

/** The user's open sessions, with buttons to end them. */
export function Sessions({ of: { data, failure, refresh } }: { of: QueryResult<Open> }) {
  const { profile } = t()
  const endedNotice = useSignal<string | null>(null)
  const refusal = useSignal<string | null>(null)
  const lead = useRef<HTMLParagraphElement>(null)
  const end = async (endSessions: () => Promise<Answer<{ ended: number }>>) => {
    const answer = await endSessions()
    // Not found means that the session ended meanwhile, which is what the user wanted.
    refusal.value = answer.kind === "done" || isNotFound(answer) ? null : messageOf(answer)
    if (refusal.value !== null) return
    await refresh()
    endedNotice.value = formatPlural(answer.kind === "done" ? answer.data.ended : 1, profile.ended)
    lead.current?.focus()
  }

  if (data === null && failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (data === null) return <Skeleton class="h-14 w-full" />
  return (
    <div class="grid gap-4">
      <p ref={lead} tabIndex={-1} class="text-sm text-muted outline-none">
        {profile.sessionsLead}
      </p>
      {refusal.value !== null && <Notice kind="error">{refusal.value}</Notice>}
      {endedNotice.value !== null && <Notice kind="info">{endedNotice.value}</Notice>}
      <ul class="divide-y divide-line rounded-box bg-base-100 px-4">
        {data.items
          .toSorted((one, other) => Number(other.current) - Number(one.current))
          .map((session) => (
            <Row
              key={session.id}
              of={session}
              onEnd={() => end(() => request(api.api.v1.me.sessions({ session: session.id }).delete()))}
            />
          ))}
      </ul>
      {data.items.length > 2 && (
        <EndOthers onEnd={() => end(() => request(api.api.v1.me.sessions.delete()))} count={data.items.length - 1} />
      )}
    </div>
  )
}

interface RowProps {
  readonly of: Open["items"][number]
  readonly onEnd: () => Promise<void>
}

function Row({ of: { current, opened_at, address }, onEnd }: RowProps) {
  const { profile } = t()
  const { busy, run } = useAction(onEnd)
  return (
    <li class="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <span>
        <span class="block font-medium">{current ? profile.thisSession : (address ?? profile.somewhere)}</span>
        <span class="block text-sm text-muted">
          {current && address !== null && `${address} · `}
          {opened_at !== null && (
            <>
              {profile.opened} <Time date={opened_at} />
            </>
          )}
        </span>
      </span>
      {!current && (
        <Button look="plain" busy={busy.value} onClick={run}>
          {profile.end}
          <span class="sr-only">{address}</span>
        </Button>
      )}
    </li>
  )
}

function EndOthers({ onEnd, count }: { onEnd: () => Promise<void>; count: number }) {
  const { busy, run } = useAction(onEnd)
  return (
    <p>
      <Button look="plain" busy={busy.value} onClick={run}>
        {fill(t().profile.endOthers, { number: String(count) })}
      </Button>
    </p>
  )
}
