import { computed } from "@preact/signals"
import type { Plural } from "../../languages/writing.ts"
import { locale, t } from "./texts.ts"

const numbers = perLocale((tag) => new Intl.NumberFormat(tag))
const compact = perLocale((tag) => new Intl.NumberFormat(tag, { notation: "compact" }))
const plurals = perLocale((tag) => new Intl.PluralRules(tag))

const unit = (name: string) =>
  perLocale((tag) => new Intl.NumberFormat(tag, { style: "unit", unit: name, unitDisplay: "long" }))
const [inSeconds, inMinutes] = [unit("second"), unit("minute")]

/** `45 seconds`, or from two minutes `3 minutes`, rounded up so that the wait is never shown too short. */
export const formatDuration = (seconds: number): string =>
  seconds < 120 ? inSeconds().format(seconds) : inMinutes().format(Math.ceil(seconds / 60))

/** `12,345` in the language of the page. */
export const formatNumber = (value: number): string => numbers().format(value)

/** `9,999`, and from 10,000 on a short form such as `1.2M`, for places with little room. */
export const formatCompact = (value: number): string =>
  Math.abs(value) < 10_000 ? formatNumber(value) : compact().format(value)

/** `1 point`, `12,345 points`. */
export const formatPoints = (value: number): string => formatPlural(value, t().points)

/** How many options were found: `3 found`, `No one found`. */
export const formatFound = (count: number): string =>
  count === 0 ? t().parts.noneFound : formatPlural(count, t().parts.found)

export function formatPlural(value: number, forms: Plural): string {
  const form = forms[plurals().select(value)] ?? forms.other
  return form.replace("#", formatNumber(value))
}

const lists = perLocale((tag) => new Intl.ListFormat(tag))

/** More names cannot be read at a glance. */
export const maxNames = 3

/** `Ben, Cleo and Dora`; of many, the first names and how many more there are. */
export function formatNames(names: readonly string[]): string {
  const shown = names.length <= maxNames + 1 ? names : names.slice(0, maxNames)
  const rest = names.length - shown.length
  return lists().format(rest === 0 ? shown : [...shown, formatPlural(rest, t().feed.more)])
}

/** The CSV separator that spreadsheets of this language expect: a semicolon where the decimal separator is a comma. */
export const cellSeparator = (): "," | ";" => (formatNumber(1.5).includes(",") ? ";" : ",")

/**
 * Caches one formatter for the current locale, as in `perLocale((tag) => new Intl.NumberFormat(tag))`. Creating a
 * formatter takes ten times as long as using it, and a list uses hundreds. It is created again when the locale, or
 * another signal that `make` reads, changes.
 */
export function perLocale<T>(make: (tag: string) => T): () => T {
  const made = computed(() => make(locale.value))
  return () => made.value
}
