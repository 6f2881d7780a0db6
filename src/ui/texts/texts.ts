import { computed, signal } from "@preact/signals"
import { type Language, languages } from "../../domain/languages.ts"
import { type Units, unitsIn, withUnits } from "../../languages/units.ts"
import { atMost } from "../at-most.ts"
import { storedValue } from "../browser-storage.ts"

/** The texts of the app, in the chunks in which they are loaded: `main` for every page, `refusals` after the first refusal. */
const en = {
  main: () => import("../../languages/en/chunks/main.ts"),
  pages: () => import("../../languages/en/chunks/pages.ts"),
  people: () => import("../../languages/en/chunks/people.ts"),
  profile: () => import("../../languages/en/chunks/profile.ts"),
  shared: () => import("../../languages/en/chunks/shared.ts"),
  admin: () => import("../../languages/en/chunks/admin.ts"),
  rare: () => import("../../languages/en/chunks/rare.ts"),
  refusals: () => import("../../languages/en/chunks/refusals.ts"),
}

/** By the tag of the language. */
export const catalogues: Readonly<Record<Language, typeof en>> = {
  de: {
    main: () => import("../../languages/de/chunks/main.ts"),
    pages: () => import("../../languages/de/chunks/pages.ts"),
    people: () => import("../../languages/de/chunks/people.ts"),
    profile: () => import("../../languages/de/chunks/profile.ts"),
    shared: () => import("../../languages/de/chunks/shared.ts"),
    admin: () => import("../../languages/de/chunks/admin.ts"),
    rare: () => import("../../languages/de/chunks/rare.ts"),
    refusals: () => import("../../languages/de/chunks/refusals.ts"),
  },
  en,
  es: {
    main: () => import("../../languages/es/chunks/main.ts"),
    pages: () => import("../../languages/es/chunks/pages.ts"),
    people: () => import("../../languages/es/chunks/people.ts"),
    profile: () => import("../../languages/es/chunks/profile.ts"),
    shared: () => import("../../languages/es/chunks/shared.ts"),
    admin: () => import("../../languages/es/chunks/admin.ts"),
    rare: () => import("../../languages/es/chunks/rare.ts"),
    refusals: () => import("../../languages/es/chunks/refusals.ts"),
  },
  fr: {
    main: () => import("../../languages/fr/chunks/main.ts"),
    pages: () => import("../../languages/fr/chunks/pages.ts"),
    people: () => import("../../languages/fr/chunks/people.ts"),
    profile: () => import("../../languages/fr/chunks/profile.ts"),
    shared: () => import("../../languages/fr/chunks/shared.ts"),
    admin: () => import("../../languages/fr/chunks/admin.ts"),
    rare: () => import("../../languages/fr/chunks/rare.ts"),
    refusals: () => import("../../languages/fr/chunks/refusals.ts"),
  },
  pt: {
    main: () => import("../../languages/pt/chunks/main.ts"),
    pages: () => import("../../languages/pt/chunks/pages.ts"),
    people: () => import("../../languages/pt/chunks/people.ts"),
    profile: () => import("../../languages/pt/chunks/profile.ts"),
    shared: () => import("../../languages/pt/chunks/shared.ts"),
    admin: () => import("../../languages/pt/chunks/admin.ts"),
    rare: () => import("../../languages/pt/chunks/rare.ts"),
    refusals: () => import("../../languages/pt/chunks/refusals.ts"),
  },
}

export type TextChunk = keyof typeof en

type Loaded<Chunk extends TextChunk> = Awaited<ReturnType<(typeof en)[Chunk]>>["texts"]
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Each) => void
  ? Each
  : never

export type Texts = All<{ [Chunk in TextChunk]: Loaded<Chunk> }[Exclude<TextChunk, "refusals">]> &
  Partial<Loaded<"refusals">>

/** The language tag of the page. */
export const language = signal<Language>("en")

/** The regional locale for numbers and dates, such as `en-GB`, if the browser prefers one for this language. */
export const locale = computed(
  () => navigator.languages.find((tag) => baseOf(tag) === language.value && isKnown(tag)) ?? language.value,
)

const currentTexts = signal<Partial<Texts>>({})

/**
 * The texts of the current language. Components that read them render again when the language changes. Each screen is shown
 * once the chunks that it needs are loaded (`screenTexts` in addresses.ts).
 */
export const t = (): Texts => namedTexts.value as Texts

/** What the company calls points; null: not known yet. */
const chosenName = signal<Units | null>(null)

/** Calls points by this name in all texts. */
export function namePoints({ one, many }: Units) {
  const before = chosenName.peek()
  if (before?.one !== one || before.many !== many) chosenName.value = { one, many }
}

const namedTexts = computed(() => {
  const texts = currentTexts.value
  if (texts.units === undefined) return texts
  const units = chosenName.value === null ? texts.units : unitsIn(texts.units, chosenName.value)
  return withUnits(texts, units, language.peek())
})

/** The chunks that were asked for; another language is loaded with all of them. */
const wanted = new Set<TextChunk>(["main"])
/** The language that was chosen last, which may still be loading. */
let latest: Language = "en"

/** That of the last user's account. */
const choice = storedValue("own-language")
/** The language of this browser, for any user. Only earlier versions stored it. */
const ofBrowser = storedValue("language")

/**
 * Call before the first render. Uses the language chosen in this browser, else the first preferred language that
 * exists.
 */
export async function loadPreferredLanguage(): Promise<void> {
  const tags = [choice.get() ?? "", ofBrowser.get() ?? "", ...navigator.languages.map(baseOf)]
  const preferred = tags.map((tag) => languages.find((one) => one === tag)).find((one) => one !== undefined)
  await show(preferred ?? "en").catch(() => show("en"))
}

/** Changes the language now and for later visits. If its texts fail to load, the page keeps its language. */
export async function chooseLanguage(tag: Language): Promise<void> {
  choice.set(tag)
  await show(tag).catch(() => {
    latest = language.value
  })
}

/** Loads further texts in the language of the page. */
export async function loadTexts(chunks: readonly TextChunk[]): Promise<void> {
  for (const chunk of chunks) wanted.add(chunk)
  await show(latest)
}

/** How long an answer waits for the words of its message. */
const maxDetailsMs = 2000

/** Loads the replacements for messages of the server. If that fails or takes too long, the messages are shown as they are. */
export const loadDetails = (): Promise<unknown> => atMost(maxDetailsMs, loadTexts(["refusals"]))

async function show(tag: Language): Promise<void> {
  latest = tag
  const catalogue = catalogues[tag]
  const loaded = await Promise.all([...wanted].map((chunk) => catalogue[chunk]()))
  const texts = Object.assign({}, ...loaded.map((chunk) => chunk.texts))
  if (latest !== tag) return show(latest)
  const isNew = language.value !== tag
  if (!isNew && Object.keys(texts).every((name) => name in currentTexts.value)) return
  currentTexts.value = isNew ? texts : { ...currentTexts.value, ...texts }
  language.value = tag
  document.documentElement.lang = tag
}

/** Only the base language counts: `pt-BR` selects `pt`. */
const baseOf = (tag: string): string => tag.split("-")[0] ?? ""

/** Some browsers report the system locale as is, such as `en-US@posix`, for which Intl throws an error. */
function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
