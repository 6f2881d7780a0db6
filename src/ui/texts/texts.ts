import { computed, signal } from "@preact/signals"
import { storedValue } from "../browser-storage.ts"
import { catalogues } from "./catalogues.ts"
import { en, type Texts } from "./en.ts"

/** The language that the page speaks, as its tag. */
export const language = signal("en")

/** The same as it is spoken where the reader is, for numbers and dates: `en-GB`, where a browser wants that. */
export const locale = computed(
  () => navigator.languages.find((tag) => baseOf(tag) === language.value && isKnown(tag)) ?? language.value,
)

const spoken = signal<Texts>(en)

/** The words of the page; a component that reads them is drawn anew when the language changes. */
export const t = (): Texts => spoken.value

const choice = storedValue("language")

/** Before the first drawing: what was chosen here, else the first of the browser's languages that there is. */
export async function speakAsChosen(): Promise<void> {
  await speak(choice.get() ?? preferred(navigator.languages))
}

/** Changes the language of the page, and of later visits. */
export async function chooseLanguage(tag: string): Promise<void> {
  choice.set(tag)
  await speak(tag)
}

async function speak(tag: string) {
  // Where its words cannot be loaded, the page goes on in the language that it has.
  const texts = await catalogues[tag]?.().catch(() => null)
  if (!texts) return
  spoken.value = texts
  language.value = tag
  document.documentElement.lang = tag
}

/** The base language counts: `pt-BR` is `pt` here. */
export function preferred(wanted: readonly string[]): string {
  return wanted.map(baseOf).find((tag) => tag in catalogues) ?? "en"
}

const baseOf = (tag: string): string => tag.split("-")[0] ?? ""

/** Browsers say what the system says: where that is POSIX, `en-US@posix`, at which Intl throws. */
function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
