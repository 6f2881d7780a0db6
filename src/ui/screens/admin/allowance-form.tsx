import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { Button, useAction } from "../../parts/button.tsx"
import { type Options, Select } from "../../parts/choice.tsx"
import { Form, FormField, useForm } from "../../parts/form.tsx"
import { api, request } from "../../server/api.ts"
import { serviceZone } from "../../session.ts"
import { fill } from "../../texts/format.ts"
import { locale, t } from "../../texts/texts.ts"
import { DeptField, useDeptCheck } from "./dept-field.tsx"

export type Allowance = Extract<
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
export function AllowanceForm({ of: allowance, onSaved, onCancel }: AllowanceFormProps) {
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
    const deptProblem = checksDept ? deptCheck.problemWith(form.of("dept")) : null
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
      ? request(allowances.post(terms))
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
      <Select
        label={texts.mode}
        value={mode}
        options={[
          ["top_up", texts.modeTopUp],
          ["add", texts.modeAdd],
        ]}
      />
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
export function scheduleText({ period, on, at }: Schedule): string {
  const { every, onDay, onLast } = t().allowances
  if (period === "day") return fill(every.day, { at })
  if (period === "week") return fill(every.week, { day: weekdayName(Number(on)), at })
  const day = on === "last" ? onLast : fill(onDay, { day: String(on) })
  return fill(period === "quarter" ? every.quarter : every.month, { day, at })
}

/** The name of a weekday, from Monday = 1. */
const weekdayName = (number: number): string =>
  new Intl.DateTimeFormat(locale.value, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2024, 0, number))
