import { useSignal } from "@preact/signals"
import { fill } from "../../../languages/writing.ts"
import { dayMs, Time } from "../../dates.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { Notice } from "../../parts/form.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { requestOnce } from "../../server/once.ts"
import { createQuery } from "../../server/query.ts"
import { t } from "../../texts/texts.ts"
import { type Outcome, OutcomeNotice, outcomeOf } from "./outcome.tsx"

const shownDeliveries = 20
/** How much of an answer is shown, in characters; the server stores more. */
const shownCharacters = 200

const useDeliveries = createQuery((id: number) =>
  request(api.api.v1.webhooks({ id }).deliveries.get({ query: { size: String(shownDeliveries) } })),
)

type Delivery = NonNullable<ReturnType<typeof useDeliveries>["data"]>["items"][number]

interface DeliveriesProps {
  readonly webhook: number
  readonly onReplay: () => Promise<void>
}

/** The last deliveries of a webhook, each with its answer, and buttons to send events again. */
export function Deliveries({ webhook, onReplay }: DeliveriesProps) {
  const texts = t().webhooks
  const { data, failure, refresh } = useDeliveries(webhook)
  const message = useSignal<Outcome | null>(null)

  const replaying = useAction(async () => {
    const since = new Date(Date.now() - dayMs).toISOString()
    const answer = await requestOnce(`events of ${webhook}`, (sent) =>
      request(api.api.v1.webhooks({ id: webhook }).replay.post({ since }, sent)),
    )
    message.value = outcomeOf(answer, () => texts.replaying)
    await onReplay()
  })

  if (failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (data === null) return <Skeleton class="h-24 w-full" />
  return (
    <div class="grid gap-3 text-sm">
      <OutcomeNotice of={message.value} />
      {data.items.length === 0 ? (
        <p class="text-muted">{texts.noDeliveries}</p>
      ) : (
        <ul class="grid gap-2">
          {data.items.map((delivery) => (
            <Item key={delivery.id} of={delivery} onReplay={refresh} />
          ))}
        </ul>
      )}
      <p class="flex flex-wrap gap-2">
        <Button look="plain" onClick={() => void refresh()}>
          {texts.reload}
        </Button>
        <Button look="quiet" busy={replaying.busy.value} onClick={replaying.run}>
          {texts.replayDay}
        </Button>
      </p>
    </div>
  )
}

function Item({ of: delivery, onReplay }: { of: Delivery; onReplay: () => Promise<void> }) {
  const texts = t().webhooks
  const { id, event, state, attempts, attempted_at, duration_ms, status, response, error } = delivery
  const failure = useSignal<string | null>(null)
  const act = (send: typeof replay | typeof skip) => async () => {
    const answer = await send()
    failure.value = answer.kind === "done" ? null : messageOf(answer)
    await onReplay()
  }
  const replay = () =>
    requestOnce(`delivery ${id}`, (sent) => request(api.api.v1.deliveries({ id }).replay.post(undefined, sent)))
  const skip = () => request(api.api.v1.deliveries({ id }).skip.post())
  const replaying = useAction(act(replay))
  const skipping = useAction(act(skip))
  return (
    <li class="grid gap-1 border-t border-line pt-2">
      <p class="flex flex-wrap items-center gap-x-3">
        <span class={state === "delivered" ? "font-medium" : "font-medium text-error"}>{texts.states[state]}</span>
        <span>{event === null ? texts.testEvent : fill(texts.event, { id: String(event) })}</span>
        {status !== null && <span class="tabular-nums">{status}</span>}
        {attempted_at !== null && (
          <span class="text-muted">
            <Time date={attempted_at} />
            {duration_ms !== null && `, ${duration_ms} ms`}
          </span>
        )}
        {attempts > 1 && <span class="text-muted">{fill(texts.attempts, { count: String(attempts) })}</span>}
        {event !== null && state !== "waiting" && (
          <Button look="quiet" busy={replaying.busy.value} onClick={replaying.run}>
            {texts.replay}
          </Button>
        )}
        {state === "waiting" && (
          <Button look="quiet" busy={skipping.busy.value} onClick={skipping.run}>
            {texts.skip}
          </Button>
        )}
      </p>
      {error !== null && <p class="text-error">{error}</p>}
      {response !== null && response !== "" && (
        <p dir="auto" class="break-all font-mono text-xs text-muted">
          {response.slice(0, shownCharacters)}
        </p>
      )}
      {failure.value !== null && <Notice kind="error">{failure.value}</Notice>}
    </li>
  )
}
