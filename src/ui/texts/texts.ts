import { computed, signal } from "@preact/signals"
import { storedValue } from "../browser-storage.ts"
import { en, type Texts } from "./en.ts"

/**
 * The texts of each language by its tag, loaded when the language is chosen. A new language needs a file beside `en.ts`
 * and a line in both tables of this file.
 */
export const catalogues: Readonly<Record<string, () => Promise<Texts>>> = {
  en: async () => en,
  pt: async () => (await import("./pt.ts")).pt,
}

/** The name of each language, in that language. */
export const languageNames: Readonly<Record<string, string>> = { en: "English", pt: "Português" }

/** The language tag of the page. */
export const language = signal("en")

/** The regional locale for numbers and dates, such as `en-GB`, if the browser prefers one for this language. */
export const locale = computed(
  () => navigator.languages.find((tag) => baseOf(tag) === language.value && isKnown(tag)) ?? language.value,
)

const currentTexts = signal<Texts>(en)

/** The texts of the current language. Components that read them render again when the language changes. */
export const t = (): Texts => currentTexts.value

const choice = storedValue("language")

/**
 * Call before the first render. Uses the language chosen in this browser, else the first preferred language that
 * exists.
 */
export async function loadPreferredLanguage(): Promise<void> {
  await setLanguage(choice.get() ?? preferred(navigator.languages))
}

/** Changes the language now and for later visits. */
export async function chooseLanguage(tag: string): Promise<void> {
  choice.set(tag)
  await setLanguage(tag)
}

async function setLanguage(tag: string) {
  // If the catalogue fails to load, the page keeps its language.
  const texts = await catalogues[tag]?.().catch(() => null)
  if (!texts) return
  currentTexts.value = texts
  language.value = tag
  document.documentElement.lang = tag
}

/** Only the base language counts: `pt-BR` selects `pt`. */
function preferred(wanted: readonly string[]): string {
  return wanted.map(baseOf).find((tag) => tag in catalogues) ?? "en"
}

const baseOf = (tag: string): string => tag.split("-")[0] ?? ""

/** Some browsers report the system locale as is, such as `en-US@posix`, for which Intl throws an error. */
function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
