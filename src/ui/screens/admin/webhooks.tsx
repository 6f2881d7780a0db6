import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { Time } from "../../dates.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { Select } from "../../parts/choice.tsx"
import { Question } from "../../parts/dialog.tsx"
import { Form, FormField, Notice, useForm } from "../../parts/form.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { ShownOnce } from "../../parts/shown-once.tsx"
import { type Answer, api, isNotFound, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { requestOnce } from "../../server/once.ts"
import { createQuery } from "../../server/query.ts"
import { t } from "../../texts/texts.ts"
import { AdminLayout } from "./admin-layout.tsx"
import { type Outcome, OutcomeNotice } from "./outcome.tsx"
import { Deliveries } from "./webhook-deliveries.tsx"

type Webhook = Extract<Awaited<ReturnType<typeof api.api.v1.webhooks.get>>, { error: null }>["data"]["items"][number]

const useWebhooks = createQuery((_: null) => request(api.api.v1.webhooks.get()))

/** Each webhook with its state and last deliveries, and a form to add one. */
export function Webhooks() {
  const texts = t().webhooks
  const { data, failure, refresh } = useWebhooks(null)
  const lead = useRef<HTMLParagraphElement>(null)
  return (
    <AdminLayout title={texts.title} isPart>
      <p ref={lead} tabIndex={-1} class="mt-1 max-w-xl text-muted outline-none">
        {texts.lead}
      </p>
      {failure !== null && <LoadFailure failure={failure} onRetry={refresh} />}
      {data === null ? (
        failure === null && <Skeleton class="mt-6 h-40 w-full rounded-box" />
      ) : (
        <ul class="mt-6 grid max-w-2xl gap-4">
          {data.items.map((webhook) => (
            <Item key={webhook.id} of={webhook} onChange={refresh} onRemoved={() => lead.current?.focus()} />
          ))}
        </ul>
      )}
      <h2 class="mt-10 mb-4 text-lg font-semibold tracking-tight">{texts.add}</h2>
      <NewWebhook onAdded={refresh} />
    </AdminLayout>
  )
}

Webhooks.prefetch = () => useWebhooks.prefetch(null)

interface ItemProps {
  readonly of: Webhook
  readonly onChange: () => Promise<void>
  readonly onRemoved: () => void
}

function Item({ of: webhook, onChange, onRemoved }: ItemProps) {
  const texts = t().webhooks
  const asksToRemove = useSignal(false)
  const secret = useSignal<string | null>(null)
  const message = useSignal<Outcome | null>(null)
  /** 0: the deliveries are hidden. Otherwise their key: a test increments it, which loads the deliveries again. */
  const deliveriesVersion = useSignal(0)
  const path = api.api.v1.webhooks({ id: webhook.id })

  const done = async (answer: Answer<unknown>) => {
    message.value = answer.kind === "done" ? null : { kind: "error", text: messageOf(answer) }
    await onChange()
  }
  const toggling = useAction(async () => done(await request(path.patch({ active: !webhook.active }))))
  const testing = useAction(async () => {
    const answer = await request(path.test.post())
    if (answer.kind !== "done") return done(answer)
    const { error, status } = answer.data
    message.value =
      error === null
        ? { kind: "info", text: fill(texts.testDone, { status: String(status) }) }
        : { kind: "error", text: fill(texts.testFailed, { error }) }
    deliveriesVersion.value += 1
  })
  const rotating = useAction(async () => {
    const answer = await requestOnce(`secret ${webhook.id}`, (sent) => request(path.secret.post(undefined, sent)))
    if (answer.kind === "done") secret.value = answer.data.secret
    await done(answer)
  })

  return (
    <li class="grid gap-2 rounded-box border border-line p-4">
      <h2 class="font-medium break-all">{webhook.url}</h2>
      <p class="text-sm">
        {texts.formats[webhook.format as keyof typeof texts.formats]} ·{" "}
        {webhook.events.length === 0 ? texts.allEvents : webhook.events.join(", ")}
        {webhook.description !== null && (
          <>
            {" "}
            · <span dir="auto">{webhook.description}</span>
          </>
        )}
      </p>
      <p class="text-sm text-muted">
        {webhook.last_success_at === null ? (
          texts.never
        ) : (
          <>
            {texts.lastSuccess} <Time date={webhook.last_success_at} />
          </>
        )}
      </p>
      <State of={webhook} />
      <OutcomeNotice of={message.value} />
      {secret.value !== null && (
        <ShownOnce
          label={texts.newSecret}
          secret={secret.value}
          onClose={() => {
            secret.value = null
          }}
        />
      )}
      <p class="flex flex-wrap gap-2">
        <Button
          look="plain"
          onClick={() => {
            deliveriesVersion.value = deliveriesVersion.value === 0 ? 1 : 0
          }}
        >
          {deliveriesVersion.value === 0 ? texts.showDeliveries : texts.hideDeliveries}
        </Button>
        <Button look="quiet" busy={testing.busy.value} onClick={testing.run}>
          {texts.test}
        </Button>
        <Button look="quiet" busy={toggling.busy.value} onClick={toggling.run}>
          {webhook.active ? texts.deactivate : texts.activate}
        </Button>
        {webhook.format === "standard" && (
          <Button look="quiet" busy={rotating.busy.value} onClick={rotating.run}>
            {texts.rotate}
          </Button>
        )}
        <Button
          look="quiet"
          onClick={() => {
            asksToRemove.value = true
          }}
        >
          {texts.remove}
        </Button>
      </p>
      {deliveriesVersion.value > 0 && (
        <Deliveries key={deliveriesVersion.value} webhook={webhook.id} onReplay={onChange} />
      )}
      {asksToRemove.value && (
        <Question
          title={texts.removeTitle}
          text={texts.removeLead}
          answer={texts.remove}
          act={async () => {
            asksToRemove.value = false
            const answer = await request(path.delete())
            await done(answer)
            // The focused button was removed together with its webhook.
            if (answer.kind === "done" || isNotFound(answer)) onRemoved()
          }}
          onClose={() => {
            asksToRemove.value = false
          }}
        />
      )}
    </li>
  )
}

/** Shows why a webhook is stopped or failing; nothing while it works. */
function State({ of: { active, failing_since, retry_at, stopped_because } }: { of: Webhook }) {
  const texts = t().webhooks
  if (!active)
    return (
      <Notice kind={stopped_because === null ? "info" : "error"}>
        {stopped_because === null ? texts.inactive : fill(texts.stopped, { reason: stopped_because })}
      </Notice>
    )
  if (failing_since === null) return null
  return (
    <Notice kind="error">
      {texts.failing} <Time date={failing_since} />
      {retry_at !== null && (
        <>
          , {texts.retry} <Time date={retry_at} />
        </>
      )}
    </Notice>
  )
}

const fields = ["url", "description"] as const
const formats = ["standard", "slack", "teams", "discord"] as const
type Events = Extract<Awaited<ReturnType<typeof api.api.v1.events.get>>, { error: null }>["data"]["items"]
type EventType = Events[number]["type"]
/** Fails to compile when the server adds or renames a type. */
const eventTypes = Object.keys({
  "transaction.created": true,
  "transaction.reversed": true,
  "user.created": true,
  "user.updated": true,
  "user.renamed": true,
  "user.deactivated": true,
  "occasion.celebrated": true,
  "redemption.requested": true,
  "redemption.fulfilled": true,
  "redemption.declined": true,
} satisfies Record<EventType, true>)

/** The form that adds a webhook. Afterwards it shows the secret until closed. */
function NewWebhook({ onAdded }: { onAdded: () => Promise<void> }) {
  const texts = t().webhooks
  const form = useForm(fields)
  const format = useSignal<string>("standard")
  const chosen = useSignal<readonly string[]>([])
  const secret = useSignal<string | null>(null)

  const { busy, run } = useAction(async () => {
    form.clear()
    if (form.of("url") === "") form.fail("url", texts.missingUrl)
    if (form.isWrong()) return
    const description = form.of("description")
    const body = {
      url: form.of("url"),
      format: format.value,
      events: [...chosen.value],
      ...(description !== "" && { description }),
    }
    const answer = await requestOnce("webhook", (sent) => request(api.api.v1.webhooks.post(body, sent)))
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    for (const field of fields) form.fields[field].value.value = ""
    chosen.value = []
    secret.value = format.value === "standard" ? answer.data.secret : null
    await onAdded()
  })

  return (
    <>
      {secret.value !== null && (
        <ShownOnce
          label={texts.newSecret}
          secret={secret.value}
          onClose={() => {
            secret.value = null
          }}
        />
      )}
      <Form class="grid max-w-md gap-5" refusal={form.refusal.value} onSubmit={run}>
        <FormField label={texts.url} of={form.fields.url} autoComplete="off" autoCapitalize="none" />
        <Select label={texts.format} value={format} options={formats.map((one) => [one, texts.formats[one]])} />
        <fieldset class="grid gap-1">
          <legend class="mb-1 text-sm">{texts.chooseEvents}</legend>
          {eventTypes.map((type) => (
            <label key={type} class="flex min-h-8 items-center gap-2.5 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                class="checkbox checkbox-sm border-base-content/45"
                checked={chosen.value.includes(type)}
                onChange={({ currentTarget }) => {
                  const others = chosen.value.filter((one) => one !== type)
                  chosen.value = currentTarget.checked ? [...others, type] : others
                }}
              />
              <span class="wrap-anywhere">{type}</span>
            </label>
          ))}
        </fieldset>
        <FormField label={texts.description} of={form.fields.description} autoComplete="off" />
        <p>
          <Button busy={busy.value}>{texts.addSubmit}</Button>
        </p>
      </Form>
    </>
  )
}
