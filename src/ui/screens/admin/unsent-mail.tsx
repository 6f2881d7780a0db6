import { useSignal } from "@preact/signals"
import { Time } from "../../dates.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { Notice } from "../../parts/form.tsx"
import { LoadFailure } from "../../parts/placeholders.tsx"
import { type Answer, api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { createQuery, useAutoRefresh } from "../../server/query.ts"
import { formatPlural } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { type Outcome, OutcomeNotice, outcomeOf } from "./outcome.tsx"

const shownMails = 20

const useUnsent = createQuery((_: null) => request(api.api.v1.mail.get({ query: { size: String(shownMails) } })))

type Unsent = NonNullable<ReturnType<typeof useUnsent>["data"]>["items"][number]

/** The mail that waits or was given up, with what the mail server said, and buttons to send it again. */
export function UnsentMail() {
  const texts = t().health
  const { data, failure, refresh } = useUnsent(null)
  useAutoRefresh(refresh)
  const message = useSignal<Outcome | null>(null)
  const sending =
    <T,>(send: () => Promise<Answer<T>>, done: (data: T) => string) =>
    async () => {
      const answer = await send()
      message.value = outcomeOf(answer, done)
      await refresh()
    }
  const retrying = useAction(
    sending(
      () => request(api.api.v1.mail.retry.post()),
      ({ count }) => formatPlural(count, texts.retried),
    ),
  )
  const testing = useAction(
    sending(
      () => request(api.api.v1.mail.test.post()),
      () => texts.testSent,
    ),
  )

  if (failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  const items = data?.items ?? []
  return (
    <section class="mt-8 grid gap-3 border-t border-line pt-6">
      <h2 class="font-medium">{texts.unsent}</h2>
      <OutcomeNotice of={message.value} />
      {data !== null && items.length === 0 && <p class="text-sm text-muted">{texts.noneUnsent}</p>}
      {items.length > 0 && (
        <ul class="grid gap-2 text-sm">
          {items.map((mail) => (
            <Item key={mail.id} of={mail} onRetry={refresh} />
          ))}
        </ul>
      )}
      <p class="flex flex-wrap gap-2">
        {items.length > 0 && (
          <Button look="plain" busy={retrying.busy.value} onClick={retrying.run}>
            {texts.retryAll}
          </Button>
        )}
        <Button look="quiet" busy={testing.busy.value} onClick={testing.run}>
          {texts.sendTest}
        </Button>
      </p>
    </section>
  )
}

function Item({ of: { id, kind, to, state, cause, cure, last_answer, next_at }, onRetry }: ItemProps) {
  const texts = t().health
  const failure = useSignal<string | null>(null)
  const retrying = useAction(async () => {
    const answer = await request(api.api.v1.mail({ id }).retry.post())
    failure.value = answer.kind === "done" ? null : messageOf(answer)
    await onRetry()
  })
  return (
    <li class="grid gap-1 border-t border-line pt-2">
      <p class="flex flex-wrap items-center gap-x-3">
        <span class={state === "discarded" ? "font-medium text-error" : "font-medium"}>{texts.mailStates[state]}</span>
        <bdi class="wrap-anywhere">{to ?? ""}</bdi>
        <span class="text-muted">{isNamed(kind) ? texts.mailKinds[kind] : texts.mailKinds.other}</span>
        {next_at !== null && (
          <span class="text-muted">
            {texts.nextAttempt} <Time date={next_at} />
          </span>
        )}
        <Button look="quiet" busy={retrying.busy.value} onClick={retrying.run}>
          {texts.retry}
        </Button>
      </p>
      {cause !== null && <p>{texts.causes[cause]}</p>}
      {last_answer !== null && (
        <p dir="auto" class="wrap-anywhere text-muted">
          {last_answer}
        </p>
      )}
      {cure !== null && (
        <p dir="auto" class="wrap-anywhere">
          {cure}
        </p>
      )}
      {failure.value !== null && <Notice kind="error">{failure.value}</Notice>}
    </li>
  )
}

const isNamed = (kind: string): kind is keyof ReturnType<typeof t>["health"]["mailKinds"] =>
  Object.hasOwn(t().health.mailKinds, kind)

interface ItemProps {
  readonly of: Unsent
  readonly onRetry: () => Promise<void>
}
