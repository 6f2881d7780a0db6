import { fill } from "../../languages/writing.ts"
import type { Account, Programme } from "../session.ts"
import { formatNumber, formatPlural, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { amounts } from "./amounts.ts"
import type { Draft, Offer } from "./draft.ts"
import { maxThanked, receiverCount, type Transfer } from "./transfer.ts"

/** The server's limits, in domain/ledger/. */
const [maxValue, maxReasonLength] = [Number.MAX_SAFE_INTEGER, 500]

interface Sender {
  readonly dept: string
  readonly role: string
}

/** The totals of a draft, and an error message for each invalid field; null where it is valid. */
export interface DraftCheck {
  readonly count: number
  /** Points for each receiver; null without a valid number. */
  readonly value: number | null
  /** Null without a valid number. */
  readonly total: number | null
  /** The budget, divided by the number of receivers; null when that is nothing. */
  readonly rest: number | null
  /** What to offer: what the sender may give to each of the receivers, and what is chosen. */
  readonly offered: readonly Offer[]
  readonly to: string | null
  readonly amount: string | null
  /** The sender may not give as much. This error shows at once, and so does `isTooLong`; the others after submitting. */
  readonly isTooMuch: boolean
  readonly reason: string | null
  readonly isTooLong: boolean
  readonly tags: string | null
}

type Rules = Pick<Programme, "give_from" | "most_to_one" | "reason" | "reason_min" | "tag" | "tags">

/** Checks a draft. What is unknown (null), the own points or the programme, only the server can check. */
export function checkDraft(
  draft: Draft,
  sender: Sender | null,
  own: Pick<Account, "to_give" | "budget"> | null,
  rules: Rules | null,
): DraftCheck {
  const { give } = t()
  const count = receiverCount({ to: draft.to.value }, sender)
  const isSuperuser = sender?.role === "superuser"
  const left = isSuperuser ? null : (own?.to_give ?? null)
  const mostToOne = isSuperuser ? null : (rules?.most_to_one.points ?? null)
  const rest = Math.floor((own?.budget ?? 0) / Math.max(count, 1)) || null
  const value = chosenValue(draft, rest)
  const isNumber = value !== null && value >= 1 && value <= maxValue
  const total = isNumber ? value * Math.max(count, 1) : null
  const most = Math.min(left === null ? maxValue : Math.floor(left / Math.max(count, 1)), mostToOne ?? maxValue)
  const isOffered = (offer: Offer) =>
    offer === "rest" ? rest !== null && rest <= most && !amounts.value.includes(rest) : offer <= most
  const chosen = typeof draft.choice.value === "number" ? [draft.choice.value] : []
  const offers = [...new Set([...amounts.value, ...chosen])].sort((one, other) => one - other)
  const isBeyondLeft = total !== null && left !== null && total > left
  const isBeyondLimit = value !== null && mostToOne !== null && value > mostToOne
  const isTooMuch = isBeyondLeft || (isNumber && isBeyondLimit)
  const tooMuch = () =>
    isBeyondLeft
      ? fill(rules?.give_from === "budget" ? give.beyondBudget : give.tooMuch, {
          total: formatNumber(total),
          balance: formatNumber(left),
        })
      : fill(give.mostToOne[rules?.most_to_one.period ?? "month"], { points: formatPoints(mostToOne ?? 0) })
  const isTooLarge = value !== null && value > maxValue
  const wrong =
    draft.choice.value === null || isEmptyOther(draft)
      ? give.missingAmount
      : isTooLarge
        ? fill(give.largestAmount, { points: formatPoints(maxValue) })
        : give.wrongAmount
  return {
    count,
    value: isNumber ? value : null,
    total,
    rest,
    offered: ([...offers, "rest"] as const).filter((offer) => isOffered(offer) || offer === draft.choice.value),
    to: count > 0 ? tooMany(draft, count) : draft.name.value.trim() === "" ? give.missingPerson : give.unfound,
    amount: isTooMuch ? tooMuch() : isNumber ? null : wrong,
    isTooMuch,
    ...checkReason(draft.reason.value, rules),
    tags: rules?.tag === "required" && tagsOf(draft, rules).length === 0 ? give.missingTag : null,
  }
}

function checkReason(typed: string, rules: Rules | null): Pick<DraftCheck, "reason" | "isTooLong"> {
  const { give } = t()
  const length = [...typed.trim()].length
  const least = rules?.reason === "required" || length > 0 ? Math.max(rules?.reason_min ?? 0, 1) : 0
  const isTooLong = length > maxReasonLength
  if (isTooLong) return { isTooLong, reason: formatPlural(length - maxReasonLength, give.tooLong) }
  if (length >= least) return { isTooLong, reason: null }
  return { isTooLong, reason: least === 1 ? give.missingReason : formatPlural(least - length, give.tooShort) }
}

/** The chosen tags without those that the programme no longer has, as a stored draft may have one. */
const tagsOf = ({ tags }: Draft, rules: Pick<Rules, "tags"> | null): readonly string[] =>
  rules === null ? tags.value : tags.value.filter((tag) => rules.tags.some(({ name }) => name === tag))

const tooMany = ({ isGrant }: Draft, count: number): string | null =>
  isGrant.value || count <= maxThanked ? null : tooManyText(count)

export const tooManyText = (count: number): string =>
  fill(t().give.tooMany, { most: formatNumber(maxThanked), count: formatNumber(count) })

/** The transfer of a valid draft. */
export const transferOf = (draft: Draft, value: number, rules: Rules | null): Transfer => ({
  to: draft.to.value,
  value,
  reason: draft.reason.value.replace(/\r\n?/g, "\n").trim(),
  tags: tagsOf(draft, rules),
  isPrivate: draft.isPrivate.value && draft.reason.value.trim() !== "",
  isGrant: draft.isGrant.value,
})

const isEmptyOther = ({ choice, other }: Draft) => choice.value === "other" && other.value.trim() === ""

/**
 * Null if no amount is chosen. NaN if the typed text is not a number of digits, with or without thousands separators.
 */
function chosenValue({ choice, other }: Draft, rest: number | null): number | null {
  if (choice.value === "rest") return rest
  if (choice.value !== "other") return choice.value
  const digits = other.value.replace(/[\s  '’]/g, "")
  const isGrouped = /^\d{1,3}([.,]\d{3})+$/.test(digits)
  return /^\d+$/.test(digits) || isGrouped ? Number(digits.replace(/[.,]/g, "")) : Number.NaN
}
