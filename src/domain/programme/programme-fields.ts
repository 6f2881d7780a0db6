import { invalid } from "../errors.ts"
import { maxValue } from "../points.ts"
import { checkLine, checkMarks, checkText, isLine, isLongerThan, normalized, wordOf } from "../text.ts"
import {
  audiencesOfAmounts,
  leaderboardReaders,
  limitPeriods,
  type MostToOne,
  needs,
  type Occasion,
  type OccasionKind,
  type PointsName,
  type Programme,
  pocketsToGive,
  type Tag,
} from "./model.ts"
import type { PointValue } from "./point-value.ts"

/** In characters. The app has a copy of the first, in ui/transfer/check.ts. */
export const maxReasonLength = 500
export const maxTagLength = 32
/** How many tags a programme has at most. */
export const maxTags = 50

/** In characters. */
export const maxPointsNameLength = 30
export const maxTagDescriptionLength = 200
export const maxOccasionTextLength = 500

export const maxAmounts = 8
/** Far below `maxValue`, so that a birthday takes no balance out of range. */
export const maxOccasionPoints = 1_000_000
export const maxPointAmount = 1_000_000

/** A change as PATCH /api/v1/programme takes it, not yet checked. Absent fields stay, within objects too; a list is replaced. */
export interface ProgrammeRequest {
  readonly points_name?: Partial<PointsName> | undefined
  readonly amounts?: readonly number[] | undefined
  readonly reason?: string | undefined
  readonly reason_min?: number | undefined
  readonly tag?: string | undefined
  readonly tags?: readonly TagRequest[] | undefined
  readonly most_to_one?: { readonly points?: number | null; readonly period?: string } | undefined
  readonly amounts_shown?: string | undefined
  readonly leaderboard?: string | undefined
  readonly give_from?: string | undefined
  readonly occasions?: { readonly [Kind in OccasionKind]?: Partial<Occasion> | undefined } | undefined
  readonly point_value?: PointValue | null | undefined
}

interface TagRequest {
  readonly name: string
  readonly emoji?: string | null | undefined
  readonly description?: string | null | undefined
}

/**
 * The programme `before` with the fields of the request in their place, checked. Where a field of an object is wrong, the
 * error names it as `most_to_one.points`.
 * @throws DomainError `invalid`, naming the field and its rule, never the value
 */
export function changed(before: Programme, request: ProgrammeRequest): Programme {
  const { reason_min = before.reason_min } = request
  checkNumber("reason_min", reason_min, 0, maxReasonLength)
  const tags = request.tags === undefined ? before.tags : checkedTags(request.tags)
  const tag = wordOf("tag", needs, request.tag ?? before.tag)
  if (tag === "required" && tags.length === 0) throw invalid("tag", "optional, as long as there are no tags")
  return {
    points_name: checkedPointsName({ ...before.points_name, ...request.points_name }),
    amounts: request.amounts === undefined ? before.amounts : checkedAmounts(request.amounts),
    reason: wordOf("reason", needs, request.reason ?? before.reason),
    reason_min,
    tag,
    tags,
    most_to_one: checkedMostToOne({ ...before.most_to_one, ...request.most_to_one }),
    amounts_shown: wordOf("amounts_shown", audiencesOfAmounts, request.amounts_shown ?? before.amounts_shown),
    leaderboard: wordOf("leaderboard", leaderboardReaders, request.leaderboard ?? before.leaderboard),
    give_from: wordOf("give_from", pocketsToGive, request.give_from ?? before.give_from),
    occasions: {
      birthday: checkedOccasion("birthday", { ...before.occasions.birthday, ...request.occasions?.birthday }),
      anniversary: checkedOccasion("anniversary", {
        ...before.occasions.anniversary,
        ...request.occasions?.anniversary,
      }),
      first_day: checkedOccasion("first_day", { ...before.occasions.first_day, ...request.occasions?.first_day }),
    },
    point_value: request.point_value === undefined ? before.point_value : checkedPointValue(request.point_value),
  }
}

function checkedPointsName({ one, many }: PointsName): PointsName {
  const checked = (field: string, given: string) => {
    const name = normalized(given, "NFC", maxPointsNameLength).trim()
    checkLine(field, name, maxPointsNameLength)
    return name
  }
  return { one: checked("points_name.one", one), many: checked("points_name.many", many) }
}

function checkedAmounts(given: readonly number[]): readonly number[] {
  const isAllowed = given.length >= 1 && given.length <= maxAmounts && new Set(given).size === given.length
  if (!isAllowed) throw invalid("amounts", `1 to ${maxAmounts} different values`)
  for (const [index, amount] of given.entries()) checkNumber(`amounts.${index}`, amount, 1, maxValue)
  return given.toSorted((one, other) => one - other)
}

function checkedTags(given: readonly TagRequest[]): readonly Tag[] {
  if (given.length > maxTags) throw invalid("tags", `at most ${maxTags}`)
  const tags = given.map(checkedTag)
  if (new Set(tags.map(({ name }) => name)).size < tags.length) throw invalid("tags", "each name once")
  return tags
}

function checkedTag({ name: given, emoji, description }: TagRequest, index: number): Tag {
  const field = `tags.${index}`
  const name = normalized(given, "NFC", maxTagLength)
  if (isLongerThan(name, maxTagLength) || !/^[^\s,]+$/u.test(name) || !isLine(name))
    throw invalid(`${field}.name`, `1 to ${maxTagLength} visible characters without spaces and commas`)
  checkMarks(`${field}.name`, name)
  const isEmoji = emoji == null || emoji === "" || /^\p{RGI_Emoji}$/v.test(emoji)
  if (!isEmoji) throw invalid(`${field}.emoji`, "one emoji, or null")
  if (description) checkLine(`${field}.description`, description.trim(), maxTagDescriptionLength)
  return { name, emoji: emoji || null, description: description?.trim() || null }
}

function checkedMostToOne({ points, period }: { points: number | null; period: string }): MostToOne {
  if (points !== null) checkNumber("most_to_one.points", points, 1, maxValue)
  return { points, period: wordOf("most_to_one.period", limitPeriods, period) }
}

function checkedOccasion(kind: OccasionKind, { points, text: given, active }: Occasion): Occasion {
  const field = `occasions.${kind}`
  checkNumber(`${field}.points`, points, 0, maxOccasionPoints)
  const text = given.trim()
  const placeholders = kind === "anniversary" ? ["{name}", "{years}"] : ["{name}"]
  if (text === "") throw invalid(`${field}.text`, `1 to ${maxOccasionTextLength} characters`)
  checkText(`${field}.text`, text, maxOccasionTextLength)
  for (const [placeholder] of text.matchAll(/\{[^{}]*\}/g))
    if (!placeholders.includes(placeholder))
      throw invalid(`${field}.text`, `no other words in braces than ${placeholders.join(" and ")}`)
  return { points, text, active }
}

function checkedPointValue(given: PointValue | null): PointValue | null {
  if (given === null) return null
  const { amount, currency } = given
  const isAmount = amount > 0 && amount <= maxPointAmount && Math.round(amount * 1e6) / 1e6 === amount
  if (!isAmount) throw invalid("point_value.amount", `a number up to ${maxPointAmount} with at most six decimals`)
  if (!Intl.supportedValuesOf("currency").includes(currency))
    throw invalid("point_value.currency", "the code of a currency, such as EUR")
  return { amount, currency }
}

function checkNumber(field: string, value: number, min: number, max: number) {
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw invalid(field, `an integer from ${min} to ${max}`)
}
