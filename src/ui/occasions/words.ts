import { fill } from "../../languages/writing.ts"
import type { Account } from "../session.ts"
import { formatPlural } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

export const occasionEmoji = { birthday: "🎂", anniversary: "🎉", first_day: "👋" } as const

/** One kind sentence on the person's own day. */
export function wishFor({ kind, years }: NonNullable<Account["occasion"]>, name: string): string {
  const { ownDay } = t().home
  const text =
    kind === "anniversary"
      ? formatPlural(years ?? 0, ownDay.anniversary)
      : kind === "birthday"
        ? ownDay.birthday
        : ownDay.firstDay
  return fill(text, { name })
}
