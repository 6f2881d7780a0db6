import { t } from "../../../texts/texts.ts"
import { inWords, type Setting } from "./fields.tsx"
import type { PartOf } from "./part.tsx"
import { tagsIn, tagsInWords, textOfTags } from "./tags.tsx"

/** The fields that stand for themselves; those of occasions are the same for each kind. */
export type SettingName = keyof ReturnType<typeof t>["programme"]["settings"]

export const settingOf = (name: SettingName): Setting => t().programme.settings[name]

const ownWords = (name: SettingName, text: string) => {
  const setting = settingOf(name)
  return { label: setting.label, value: inWords(setting, text) }
}

type GivingField = Extract<
  SettingName,
  "amounts" | "reason" | "reason_min" | "most_to_one.points" | "most_to_one.period" | "give_from"
>

export const giving: PartOf<GivingField> = {
  names: ["amounts", "reason", "reason_min", "most_to_one.points", "most_to_one.period", "give_from"],
  read: ({ amounts, reason, reason_min, most_to_one, give_from }) => ({
    amounts: amounts.join(", "),
    reason,
    reason_min: String(reason_min),
    "most_to_one.points": textOf(most_to_one.points),
    "most_to_one.period": most_to_one.period,
    give_from,
  }),
  changeOf(texts, fail) {
    const most = texts["most_to_one.points"].trim()
    return {
      amounts: numbersIn(texts.amounts, (message) => fail("amounts", message)),
      reason: texts.reason,
      reason_min: numberIn(texts.reason_min, (message) => fail("reason_min", message)),
      most_to_one: {
        points: most === "" ? null : numberIn(most, (message) => fail("most_to_one.points", message)),
        period: texts["most_to_one.period"],
      },
      give_from: texts.give_from,
    }
  },
  inWords: ownWords,
}

export const tags: PartOf<"tag" | "tags"> = {
  names: ["tag", "tags"],
  read: ({ tag, tags }) => ({ tag, tags: textOfTags(tags) }),
  changeOf: (texts) => ({ tag: texts.tag, tags: tagsIn(texts.tags) }),
  inWords: (name, text) => ownWords(name, name === "tags" ? tagsInWords(text) : text),
}

export const shown: PartOf<"points_name.one" | "points_name.many" | "amounts_shown" | "leaderboard"> = {
  names: ["points_name.one", "points_name.many", "amounts_shown", "leaderboard"],
  read: ({ points_name, amounts_shown, leaderboard }) => ({
    "points_name.one": points_name.one,
    "points_name.many": points_name.many,
    amounts_shown,
    leaderboard,
  }),
  changeOf: (texts) => ({
    points_name: { one: texts["points_name.one"], many: texts["points_name.many"] },
    amounts_shown: texts.amounts_shown,
    leaderboard: texts.leaderboard,
  }),
  inWords: ownWords,
}

export const occasionKinds = ["birthday", "anniversary", "first_day"] as const
type OccasionKind = (typeof occasionKinds)[number]
type OccasionField = `occasions.${OccasionKind}.${"active" | "points" | "text"}`

export const occasions: PartOf<OccasionField> = {
  names: occasionKinds.flatMap((kind): OccasionField[] => [
    `occasions.${kind}.active`,
    `occasions.${kind}.points`,
    `occasions.${kind}.text`,
  ]),
  read({ occasions: { birthday, anniversary, first_day } }) {
    return {
      "occasions.birthday.active": String(birthday.active),
      "occasions.birthday.points": String(birthday.points),
      "occasions.birthday.text": birthday.text,
      "occasions.anniversary.active": String(anniversary.active),
      "occasions.anniversary.points": String(anniversary.points),
      "occasions.anniversary.text": anniversary.text,
      "occasions.first_day.active": String(first_day.active),
      "occasions.first_day.points": String(first_day.points),
      "occasions.first_day.text": first_day.text,
    }
  },
  changeOf(texts, fail) {
    const occasion = (kind: OccasionKind) => {
      const points = `occasions.${kind}.points` as const
      return {
        active: texts[`occasions.${kind}.active`] === "true",
        points: numberIn(texts[points], (message) => fail(points, message)),
        text: texts[`occasions.${kind}.text`],
      }
    }
    return {
      occasions: {
        birthday: occasion("birthday"),
        anniversary: occasion("anniversary"),
        first_day: occasion("first_day"),
      },
    }
  },
  inWords(field, text) {
    const { occasions: texts } = t().programme
    const kind = occasionKinds.find((one) => field.startsWith(`occasions.${one}.`)) ?? "birthday"
    if (field.endsWith(".active")) return { label: texts[kind].active, value: text === "true" ? texts.on : texts.off }
    return { label: `${texts[kind].title}, ${field.endsWith(".text") ? texts.text : texts.points}`, value: text }
  },
}

export const worth: PartOf<"point_value.amount" | "point_value.currency"> = {
  names: ["point_value.amount", "point_value.currency"],
  read: ({ point_value }) => ({
    "point_value.amount": point_value === null ? "" : decimal(point_value.amount),
    "point_value.currency": point_value?.currency ?? "",
  }),
  changeOf(texts, fail) {
    const [amount, currency] = [texts["point_value.amount"].trim(), texts["point_value.currency"].trim()]
    if (amount === "") return { point_value: null }
    if (!/^\d+([.,]\d+)?$/.test(amount)) fail("point_value.amount", t().programme.noAmount)
    if (!/^[a-z]{3}$/i.test(currency)) fail("point_value.currency", t().programme.noCurrency)
    return { point_value: { amount: Number(amount.replace(",", ".")), currency: currency.toUpperCase() } }
  },
  inWords: ownWords,
}

const textOf = (value: number | null): string => (value === null ? "" : String(value))

/** `0.000001`, where `String` would write 1e-6. */
const decimal = (value: number): string => value.toFixed(6).replace(/\.?0+$/, "")

function numberIn(text: string, fail: (message: string) => void): number {
  const digits = text.trim()
  if (!/^\d{1,16}$/.test(digits)) fail(t().programme.wholeNumber)
  return Number(digits)
}

function numbersIn(text: string, fail: (message: string) => void): number[] {
  const parts = text.split(/[,;\s]+/).filter((part) => part !== "")
  if (!parts.every((part) => /^\d{1,16}$/.test(part))) fail(t().programme.wholeNumbers)
  return parts.map(Number)
}
