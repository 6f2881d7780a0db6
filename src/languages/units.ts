import type { Language } from "../domain/languages.ts"

/** What points are called: `1 star`, `5 stars`. */
export interface Units {
  readonly one: string
  readonly many: string
}

/** What the programme calls points. The name of a new programme stands for `own`, the word of the reader's language. */
export const unitsIn = (own: Units, chosen: Units): Units =>
  chosen.one === "point" && chosen.many === "points" ? own : chosen

/** The texts with the name of points in the places for it: `{unit}`, `{units}`, and with a capital `{Unit}`, `{Units}`. */
export function withUnits<T>(texts: T, { one, many }: Units, language: Language): T {
  const capital = (word: string) => word.charAt(0).toLocaleUpperCase(language) + word.slice(1)
  const words: Readonly<Record<string, string>> = { unit: one, units: many, Unit: capital(one), Units: capital(many) }
  const filled = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.replace(/\{([uU]nits?)\}/g, (place, name: string) => words[name] ?? place)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]))
  }
  return filled(texts) as T
}
