import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { parseDate, serviceFormatOf, Time } from "../../dates.tsx"
import { Button, useAction } from "../../parts/button.tsx"
import { type Options, Select } from "../../parts/choice.tsx"
import { Question } from "../../parts/dialog.tsx"
import { Form, FormField, Notice, useForm } from "../../parts/form.tsx"
import { LoadFailure, Skeleton } from "../../parts/placeholders.tsx"
import { type Answer, api, request } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"
import { requestOnce } from "../../server/once.ts"
import { createQuery } from "../../server/query.ts"
import { refreshAccount, serviceZone } from "../../session.ts"
import { formatNumber, formatPlural, formatPoints } from "../../texts/format.ts"
import { locale, t } from "../../texts/texts.ts"
import { AdminLayout } from "./admin-layout.tsx"
import { DeptField, useDeptCheck } from "./dept-field.tsx"

const useAllowances = createQuery((_: null) => request(api.api.v1.allowances.get()))
const usePreview = createQuery((id: number) => request(api.api.v1.allowances({ id }).preview.get()))

/** Points that are paid at intervals: each with its next payment and buttons to change it, and a form to add one. */
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
        {fill(texts.terms[modeOf(allowance)], { points: formatPoints(allowance.value) })} · {scheduleText(allowance)} ·{" "}
        <span dir="auto">{audienceText(allowance)}</span>
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
          act={async () =>
            done(await requestOnce(`run ${allowance.id}`, (sent) => request(path.run.post(undefined, sent))))
          }
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
        {data.expired > 0 && ` · ${fill(texts.expires, { points: formatPoints(data.expired) })}`}
      </p>
      <ul class="grid gap-0.5">
        {data.items.slice(0, maxPeople).map(({ username, name, value, expired }) => (
          <li key={username} class="flex justify-between gap-4">
            <span dir="auto" class="min-w-0 wrap-anywhere">
              {name}
            </span>
            <span class="shrink-0 tabular-nums">
              {expired !== null && expired > 0 && (
                <span class="text-muted">{fill(texts.expires, { points: formatNumber(expired) })} · </span>
              )}
              {value !== null && formatPoints(value)}
            </span>
          </li>
        ))}
        {rest > 0 && <li class="text-muted">{formatPlural(rest, texts.others)}</li>}
      </ul>
    </div>
  )
}

const modes = ["top_up", "reset", "add"] as const

const modeOf = ({ mode }: Allowance) => modes.find((one) => one === mode) ?? "add"

function nextText({ active, next_run }: Allowance): string {
  const texts = t().allowances
  if (!active) return texts.paused
  return next_run === null ? texts.over : fill(texts.next, { time: moments().format(parseDate(next_run)) })
}

const moments = serviceFormatOf({ dateStyle: "full", timeStyle: "short" })

function audienceText({ audience: { everyone, dept, usernames } }: Allowance): string {
  if (dept !== undefined) return fill(t().allowances.toDept, { dept })
  if (usernames !== undefined) return usernames.join(", ")
  return everyone ? t().allowances.toEveryone : t().allowances.toNobody
}

type Allowance = Extract<
  Awaited<ReturnType<typeof api.api.v1.allowances.get>>,
  { error: null }
>["data"]["items"][number]

const fields = ["name", "value", "at", "dept", "usernames", "reason"] as const

interface AllowanceFormProps {
  /** The allowance to change; absent: the form adds one. */
  readonly of?: Allowance
  readonly onSaved: () => Promise<void>
  readonly onCancel?: () => void
}

/** The form that adds an allowance or changes one. */
function AllowanceForm({ of: allowance, onSaved, onCancel }: AllowanceFormProps) {
  const texts = t().allowances
  const form = useForm(fields)
  const deptCheck = useDeptCheck()
  const mode = useSignal<string>(allowance?.mode ?? "top_up")
  const period = useSignal<string>(allowance?.period ?? "month")
  const on = useSignal(String(allowance?.on ?? "1"))
  const audience = useSignal(audienceKindOf(allowance?.audience))
  useMemo(() => {
    if (allowance === undefined) return
    const { name, value, at, reason, audience } = allowance
    const { dept = "", usernames = [] } = audience
    const initial = { name, value: String(value), at, dept, usernames: usernames.join(", "), reason: reason ?? "" }
    for (const field of fields) form.fields[field].value.value = initial[field]
  }, [])

  const { busy, run } = useAction(async () => {
    form.clear()
    if (form.of("name") === "") form.fail("name", texts.noName)
    if (!/^\d+$/.test(form.of("value"))) form.fail("value", texts.noValue)
    const checksDept = audience.value === "dept" && form.of("dept") !== allowance?.audience.dept
    const deptProblem = checksDept ? await deptCheck.problemWith(form.of("dept")) : null
    if (deptProblem !== null) form.fail("dept", deptProblem)
    if (form.isWrong()) return
    const terms = {
      name: form.of("name"),
      value: Number(form.of("value")),
      mode: mode.value,
      period: period.value,
      ...(period.value !== "day" && { on: on.value === "last" ? "last" : Number(on.value) }),
      ...(form.of("at") !== "" && { at: form.of("at") }),
      audience: audienceOf(),
      reason: form.of("reason"),
    }
    const { allowances } = api.api.v1
    const answer = await (allowance === undefined
      ? requestOnce("allowance", (sent) => request(allowances.post(terms, sent)))
      : request(allowances({ id: allowance.id }).patch(terms)))
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    if (allowance === undefined) for (const field of fields) form.fields[field].value.value = ""
    await onSaved()
  })

  function audienceOf() {
    if (audience.value === "dept") return { dept: form.of("dept") }
    if (audience.value === "everyone") return { everyone: true }
    return {
      usernames: form
        .of("usernames")
        .split(/[\s,]+/)
        .filter((username) => username !== ""),
    }
  }

  const days = period.value === "week" ? weekdays : monthDays
  return (
    <Form class="grid max-w-md gap-5" refusal={form.refusal.value} onSubmit={run}>
      <FormField label={texts.name} of={form.fields.name} autoComplete="off" />
      <FormField label={texts.value} of={form.fields.value} autoComplete="off" />
      <Select label={texts.mode} value={mode} options={modes.map((one) => [one, texts.modes[one]])} />
      <Select
        label={texts.period}
        value={period}
        options={(["day", "week", "month", "quarter"] as const).map((one) => [one, texts.periods[one]])}
        onChange={() => {
          on.value = "1"
        }}
      />
      {period.value !== "day" && (
        <Select label={period.value === "quarter" ? texts.onQuarter : texts.on} value={on} options={days()} />
      )}
      <FormField
        label={fill(texts.at, { zone: serviceZone.value })}
        of={form.fields.at}
        autoComplete="off"
        placeholder="09:00"
      />
      <Select
        label={texts.audience}
        value={audience}
        options={[
          ["everyone", texts.toEveryone],
          ["dept", texts.oneDept],
          ["usernames", texts.somePeople],
        ]}
      />
      {audience.value === "dept" && <DeptField of={form.fields.dept} check={deptCheck} allowsNew={false} />}
      {audience.value === "usernames" && (
        <FormField label={texts.usernames} of={form.fields.usernames} autoComplete="off" autoCapitalize="none" />
      )}
      <FormField label={texts.reason} of={form.fields.reason} autoComplete="off" />
      <p class="flex flex-wrap gap-2">
        <Button busy={busy.value}>{allowance === undefined ? texts.addSubmit : texts.save}</Button>
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            {t().parts.cancel}
          </Button>
        )}
      </p>
    </Form>
  )
}

function audienceKindOf(audience: Allowance["audience"] | undefined): string {
  if (audience?.dept !== undefined) return "dept"
  return audience === undefined || audience.everyone ? "everyone" : "usernames"
}

const weekdays = (): Options => Array.from({ length: 7 }, (_, index) => [String(index + 1), weekdayName(index + 1)])

const monthDays = (): Options => [
  ...Array.from({ length: 28 }, (_, index) => [String(index + 1), String(index + 1)] as const),
  ["last", t().allowances.lastDay],
]

interface Schedule {
  readonly period: string
  readonly on?: number | string | null
  readonly at: string
}

/** "every month on day 1 at 09:00". */
function scheduleText({ period, on, at }: Schedule): string {
  const { every, onDay, onLast } = t().allowances
  if (period === "day") return fill(every.day, { at })
  if (period === "week") return fill(every.week, { day: weekdayName(Number(on)), at })
  const day = on === "last" ? onLast : fill(onDay, { day: String(on) })
  return fill(period === "quarter" ? every.quarter : every.month, { day, at })
}

/** The name of a weekday, from Monday = 1. */
const weekdayName = (number: number): string =>
  new Intl.DateTimeFormat(locale.value, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2024, 0, number))
