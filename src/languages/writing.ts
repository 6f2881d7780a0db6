import type { Language } from "../domain/languages.ts"

/** What each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  pt: "Português",
}

/** How numbers and dates are written where nobody knows the region of the reader. */
const locales: Readonly<Record<Language, string>> = {
  de: "de",
  en: "en-GB",
  es: "es",
  fr: "fr",
  pt: "pt-BR",
}

/** The plural forms of a counted thing; `#` stands for the number. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/** Replaces placeholders in a text such as `Hello, {name}`. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

/** Numbers, plurals and dates as a language writes them. */
export interface Writing {
  /** `12,345` */
  readonly number: (value: number) => string
  /** `1 point`, `12,345 points` */
  readonly count: (value: number, forms: Plural) => string
  /** `3 March 2026`, for a day such as `2026-03-03` */
  readonly day: (day: string) => string
  /** `March 2026`, for a day in UTC such as `2026-03-01` */
  readonly month: (day: string) => string
  /** `3 March 2026 at 14:05`, for milliseconds since 1970 */
  readonly moment: (ms: number, timeZone: string) => string
}

const writings = new Map<Language, Writing>()

export function writingOf(language: Language): Writing {
  const known = writings.get(language) ?? createWriting(locales[language])
  writings.set(language, known)
  return known
}

/** Formats are created when they are first used: the first one of a process takes 1 ms and 1.5 MiB. */
function createWriting(locale: string): Writing {
  let numbers: Intl.NumberFormat | undefined
  let plurals: Intl.PluralRules | undefined
  const number = (value: number) => {
    numbers ??= new Intl.NumberFormat(locale)
    return numbers.format(value)
  }
  return {
    number,
    count(value, forms) {
      plurals ??= new Intl.PluralRules(locale)
      return (forms[plurals.select(value)] ?? forms.other).replace("#", number(value))
    },
    day: (day) =>
      new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`)),
    month: (day) =>
      new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
        new Date(`${day}T00:00:00Z`),
      ),
    moment: (ms, timeZone) =>
      new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone }).format(ms),
  }
}
