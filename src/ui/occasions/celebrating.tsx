import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { Select } from "../parts/choice.tsx"
import { Notice } from "../parts/form.tsx"
import { api, request } from "../server/api.ts"
import { messageOf } from "../server/failure-messages.ts"
import { type Account, updateAccount } from "../session.ts"
import { t } from "../texts/texts.ts"
import { daysOfMonth, monthNames } from "./year-days.ts"

/** What each answer to the question says, in its order. */
const answers = [
  { celebrates: true, word: "yes" },
  { celebrates: null, word: "anniversaries" },
  { celebrates: false, word: "no" },
] as const

/** Asks the user whether to celebrate, and for the day of their birthday. An answer is saved at once. */
export function Celebrating({ of: { birthday, celebrates } }: { of: Account }) {
  const { celebrating } = t().profile
  const said = useSignal<{ readonly text: string; readonly isFailure: boolean } | null>(null)
  const save = async (change: { birthday?: string | null; celebrates?: boolean | null }) => {
    said.value = null
    const answer = await request(api.api.v1.me.patch(change))
    if (answer.kind === "done") updateAccount(answer.data)
    said.value =
      answer.kind === "done"
        ? { text: celebrating.saved, isFailure: false }
        : { text: messageOf(answer), isFailure: true }
  }
  return (
    <div class="grid gap-5">
      <fieldset class="grid gap-1">
        <legend class="mb-1">{celebrating.question}</legend>
        {answers.map((one) => (
          <label key={one.word} class="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="celebrates"
              class="size-4 shrink-0 accent-primary"
              checked={celebrates === one.celebrates}
              onChange={() => void save({ celebrates: one.celebrates })}
            />
            {celebrating.answers[one.word]}
          </label>
        ))}
      </fieldset>
      {celebrates === true && <Birthday birthday={birthday} onChange={(day) => void save({ birthday: day })} />}
      <div role="status" class="empty:hidden">
        {said.value?.isFailure === true && <Notice kind="error">{said.value.text}</Notice>}
        {said.value?.isFailure === false && <p class="text-sm text-muted">{said.value.text}</p>}
      </div>
    </div>
  )
}

interface BirthdayProps {
  /** MM-DD */
  readonly birthday: string | null
  readonly onChange: (birthday: string | null) => void
}

/** A month and a day, without a year. It is told once both are chosen, or neither is. */
function Birthday({ birthday, onChange }: BirthdayProps) {
  const { celebrating } = t().profile
  const month = useSignal(birthday?.slice(0, 2) ?? "")
  const day = useSignal(birthday?.slice(3) ?? "")
  const months = useMemo(() => [["", celebrating.noMonth], ...monthNames()] as const, [celebrating])
  const days = daysOfMonth(month.value)
  const changed = () => {
    if (day.value !== "" && !daysOfMonth(month.value).includes(day.value)) day.value = ""
    if (month.value === "" && day.value === "") onChange(null)
    else if (month.value !== "" && day.value !== "") onChange(`${month.value}-${day.value}`)
  }
  return (
    <div class="grid gap-1.5">
      <div class="flex flex-wrap gap-3">
        <div class="min-w-40">
          <Select label={celebrating.month} value={month} options={months} onChange={changed} />
        </div>
        <div class="min-w-28">
          <Select
            label={celebrating.day}
            value={day}
            options={[["", celebrating.noDay], ...days.map((one) => [one, String(Number(one))] as const)]}
            onChange={changed}
          />
        </div>
      </div>
      <p class="text-sm text-muted">{celebrating.noYear}</p>
    </div>
  )
}
