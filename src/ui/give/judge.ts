import { fill, formatNumber, formatPlural } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Draft } from "./draft.ts"
import { countOf, type Gift } from "./gift.ts"

/** The server's limits. */
const [maxValue, maxReasonLength] = [Number.MAX_SAFE_INTEGER, 500]

interface Giver {
  readonly dept: string
  readonly role: string
}

/** What a draft comes to, and what is wrong with it, in plain words; null where nothing is. */
export interface Judgement {
  readonly count: number
  /** Points for each; null as long as there is no number. */
  readonly value: number | null
  /** Null as long as it is not known. */
  readonly total: number | null
  readonly left: number | null
  /** What `all that is left` comes to for each. */
  readonly rest: number | null
  readonly to: string | null
  readonly amount: string | null
  /** Worth saying before anybody asks: no amount will do. */
  readonly isTooMuch: boolean
  readonly reason: string | null
}

/** `balance`: null while it is not known; then the server decides alone. */
export function judge(draft: Draft, giver: Giver | null, balance: number | null): Judgement {
  const { give } = t()
  const count = countOf({ to: draft.to.value }, giver)
  const rest = balance === null || balance < 1 ? null : Math.floor(balance / Math.max(count, 1)) || null
  const value = chosenValue(draft, rest)
  const isNumber = value !== null && value >= 1 && value <= maxValue
  const total = isNumber ? value * Math.max(count, 1) : null
  const isTooMuch = giver?.role !== "superuser" && total !== null && balance !== null && total > balance
  const surplus = [...draft.reason.value.trim()].length - maxReasonLength
  const tooMuch = () => fill(give.tooMuch, { total: formatNumber(total ?? 0), balance: formatNumber(balance ?? 0) })
  const isTooLarge = value !== null && value > maxValue
  const wrong =
    draft.choice.value === null || isEmptyOther(draft)
      ? give.missingAmount
      : isTooLarge
        ? fill(give.largestAmount, { points: formatNumber(maxValue) })
        : give.wrongAmount
  return {
    count,
    value: isNumber ? value : null,
    total,
    left: total === null || balance === null ? null : balance - total,
    rest,
    to: count > 0 ? null : draft.name.value.trim() === "" ? give.missingPerson : give.unfound,
    amount: isTooMuch ? tooMuch() : isNumber ? null : wrong,
    isTooMuch,
    reason: surplus > 0 ? formatPlural(surplus, give.tooLong) : null,
  }
}

/** What is given when nothing is wrong with the draft. */
export const giftOf = (draft: Draft, value: number): Gift => ({
  to: draft.to.value,
  value,
  reason: draft.reason.value.replace(/\r\n?/g, "\n").trim(),
  tags: draft.tags.value,
  isPrivate: draft.isPrivate.value && draft.reason.value.trim() !== "",
})

const isEmptyOther = ({ choice, other }: Draft) => choice.value === "other" && other.value.trim() === ""

/** NaN for what is no number of digits alone, in groups as one likes. */
function chosenValue({ choice, other }: Draft, rest: number | null): number | null {
  if (choice.value === "rest") return rest
  if (choice.value !== "other") return choice.value
  const digits = other.value.replace(/[\s  '’]/g, "")
  const isGrouped = /^\d{1,3}([.,]\d{3})+$/.test(digits)
  return /^\d+$/.test(digits) || isGrouped ? Number(digits.replace(/[.,]/g, "")) : Number.NaN
}
