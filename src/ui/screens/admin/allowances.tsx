import { useSignal } from "@preact/signals"
import { parseDate, serviceFormatOf, Time } from "../../dates.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { Question } from "../../parts/dialog.tsx"
import { Notice } from "../../parts/form.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { type Answer, api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { createQuery } from "../../server/query.ts"
import { refreshAccount } from "../../session.ts"
import { fill, formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { AdminLayout } from "./admin-layout.tsx"
import { type Allowance, AllowanceForm, scheduleText } from "./allowance-form.tsx"

const useAllowances = createQuery((_: null) => request(api.api.v1.allowances.get()))
const usePreview = createQuery((id: number) => request(api.api.v1.allowances({ id }).preview.get()))

/** Budgets that are paid at intervals: each with its next payment and buttons to change it, and a form to add one. */
export function Allowances() {
  const texts = t().allowances
  const { data, failure, refresh } = useAllowances(null)
  return (
    <AdminLayout title={texts.title} isPart>
      <p class="mt-1 max-w-xl text-muted">{texts.lead}</p>
      {failure !== null && <LoadFailure failure={failure} onRetry={refresh} />}
      {data === null ? (
        failure === null && <Skeleton class="mt-6 h-40 w-full rounded-box" />
      ) : (
        <ul class="mt-6 grid max-w-xl gap-4">
          {data.items.map((allowance) => (
            <Item key={allowance.id} of={allowance} onChange={refresh} />
          ))}
        </ul>
      )}
      <h2 class="mt-10 mb-4 text-lg font-semibold tracking-tight">{texts.add}</h2>
      <AllowanceForm onSaved={refresh} />
    </AdminLayout>
  )
}

Allowances.prefetch = () => useAllowances.prefetch(null)

interface ItemProps {
  readonly of: Allowance
  readonly onChange: () => Promise<void>
}

function Item({ of: allowance, onChange }: ItemProps) {
  const texts = t().allowances
  const asks = useSignal<"run" | "remove" | null>(null)
  const isShown = useSignal(false)
  const isEdited = useSignal(false)
  const failure = useSignal<string | null>(null)
  const path = api.api.v1.allowances({ id: allowance.id })

  const done = async (answer: Answer<unknown>) => {
    asks.value = null
    failure.value = answer.kind === "done" ? null : messageOf(answer)
    await onChange()
    void refreshAccount()
  }
  const pausing = useAction(async () => done(await request(path.patch({ active: !allowance.active }))))

  if (isEdited.value)
    return (
      <li class="rounded-box border border-line p-4">
        <AllowanceForm
          of={allowance}
          onSaved={async () => {
            await onChange()
            isEdited.value = false
            // Shows the preview, because the change may affect who gets what next.
            isShown.value = true
            void refreshAccount()
          }}
          onCancel={() => {
            isEdited.value = false
          }}
        />
      </li>
    )
  return (
    <li class="grid gap-2 rounded-box border border-line p-4">
      <h2 dir="auto" class="font-medium">
        {allowance.name}
      </h2>
      <p>
        {fill(allowance.mode === "add" ? texts.adds : texts.topsUp, { points: formatPoints(allowance.value) })} ·{" "}
        {scheduleText(allowance)} · <span dir="auto">{audienceText(allowance)}</span>
      </p>
      <p class="text-sm text-muted">
        {nextText(allowance)}
        {allowance.last_run !== null && (
          <>
            {" "}
            · {texts.last} <Time date={allowance.last_run} />
          </>
        )}
      </p>
      {failure.value !== null && <Notice kind="error">{failure.value}</Notice>}
      <p class="flex flex-wrap gap-2">
        <Button
          look="plain"
          onClick={() => {
            isShown.value = !isShown.value
          }}
        >
          {isShown.value ? texts.hide : texts.preview}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            isEdited.value = true
          }}
        >
          {texts.edit}
        </Button>
        <Button look="quiet" busy={pausing.busy.value} onClick={pausing.run}>
          {allowance.active ? texts.pause : texts.resume}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            asks.value = "run"
          }}
        >
          {texts.run}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            asks.value = "remove"
          }}
        >
          {texts.remove}
        </Button>
      </p>
      {isShown.value && <Preview id={allowance.id} />}
      {asks.value === "run" && (
        <Question
          title={texts.runTitle}
          text={texts.runLead}
          answer={texts.run}
          act={async () => done(await request(path.run.post()))}
          onClose={() => {
            asks.value = null
          }}
        >
          <Preview id={allowance.id} />
        </Question>
      )}
      {asks.value === "remove" && (
        <Question
          title={texts.removeTitle}
          text={texts.removeLead}
          answer={texts.remove}
          act={async () => done(await request(path.delete()))}
          onClose={() => {
            asks.value = null
          }}
        />
      )}
    </li>
  )
}

/** How many people a preview lists; for the others it shows only their number. */
const maxPeople = 12

/** Who would get how much, calculated from the current balances. */
function Preview({ id }: { id: number }) {
  const texts = t().allowances
  const { data, failure, refresh } = usePreview(id)
  if (failure !== null) return <LoadFailure failure={failure} onRetry={refresh} />
  if (data === null) return <Skeleton class="h-16 w-full" />
  if (data.items.length === 0) return <p class="text-sm text-muted">{texts.nobody}</p>
  const rest = data.items.length - maxPeople
  return (
    <div class="text-sm">
      <p class="mb-1 font-medium">
        {fill(formatPlural(data.items.length, texts.people), { points: formatPoints(data.total) })}
      </p>
      <ul class="grid gap-0.5">
        {data.items.slice(0, maxPeople).map(({ username, name, value }) => (
          <li key={username} class="flex justify-between gap-4">
            <span dir="auto" class="truncate">
              {name}
            </span>
            <span class="shrink-0 tabular-nums">{formatPoints(value)}</span>
          </li>
        ))}
        {rest > 0 && <li class="text-muted">{formatPlural(rest, texts.others)}</li>}
      </ul>
    </div>
  )
}

function nextText({ active, next_run }: Allowance): string {
  const texts = t().allowances
  if (!active) return texts.paused
  return next_run === null ? texts.over : fill(texts.next, { time: moments().format(parseDate(next_run)) })
}

const moments = serviceFormatOf({ dateStyle: "full", timeStyle: "short" })

function audienceText({ audience: { dept, usernames } }: Allowance): string {
  if (dept !== undefined) return fill(t().allowances.toDept, { dept })
  return usernames === undefined ? t().allowances.toEveryone : usernames.join(", ")
}
