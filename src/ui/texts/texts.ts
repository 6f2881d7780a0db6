import { computed, signal } from "@preact/signals"
import { type Language, languages } from "../../domain/languages.ts"
import type { Details } from "../../languages/details.ts"
import type { AdminTexts } from "../../languages/en/admin.ts"
import type { MainTexts } from "../../languages/en/main.ts"
import type { PageTexts } from "../../languages/en/pages.ts"
import type { PeopleTexts } from "../../languages/en/people.ts"
import type { ProfileTexts } from "../../languages/en/profile.ts"
import type { ProgrammeTexts } from "../../languages/en/programme.ts"
import type { ScreenTexts } from "../../languages/en/screens.ts"
import { type Units, unitsIn, withUnits } from "../../languages/units.ts"
import { atMost } from "../at-most.ts"
import { storedValue } from "../browser-storage.ts"

export type Texts = MainTexts &
  PageTexts &
  PeopleTexts &
  ProfileTexts &
  ScreenTexts &
  AdminTexts &
  ProgrammeTexts &
  Partial<DetailTexts>

interface DetailTexts {
  readonly details: Details
}

/** The texts of a language, in the parts in which they are loaded. */
interface Catalogue {
  /** For every page. */
  readonly main: () => Promise<MainTexts>
  /** For screens that share their texts with no other. */
  readonly pages: () => Promise<PageTexts>
  /** For the list of people, and for the page of one recognition. */
  readonly people: () => Promise<PeopleTexts>
  /** For the own profile, and for second factors. */
  readonly profile: () => Promise<ProfileTexts>
  /** For new passwords, the own profile, the rewards and the list of keys; the administration needs them, too. */
  readonly screens: () => Promise<ScreenTexts>
  /** For all of the administration. */
  readonly admin: () => Promise<AdminTexts>
  /** For the screen of the programme. */
  readonly programme: () => Promise<ProgrammeTexts>
  /** For refusals of the server. */
  readonly details: () => Promise<DetailTexts>
}

export type TextPart = keyof Catalogue

/** By the tag of the language. A new language needs files beside those of `en` and a line in both tables of this file. */
export const catalogues: Readonly<Record<Language, Catalogue>> = {
  de: {
    main: async () => (await import("../../languages/de/main.ts")).mainTexts,
    pages: async () => (await import("../../languages/de/pages.ts")).pageTexts,
    people: async () => (await import("../../languages/de/people.ts")).peopleTexts,
    profile: async () => (await import("../../languages/de/profile.ts")).profileTexts,
    screens: async () => (await import("../../languages/de/screens.ts")).screenTexts,
    admin: async () => (await import("../../languages/de/admin.ts")).adminTexts,
    programme: async () => (await import("../../languages/de/programme.ts")).programmeTexts,
    details: async () => await import("../../languages/de/details.ts"),
  },
  en: {
    main: async () => (await import("../../languages/en/main.ts")).mainTexts,
    pages: async () => (await import("../../languages/en/pages.ts")).pageTexts,
    people: async () => (await import("../../languages/en/people.ts")).peopleTexts,
    profile: async () => (await import("../../languages/en/profile.ts")).profileTexts,
    screens: async () => (await import("../../languages/en/screens.ts")).screenTexts,
    admin: async () => (await import("../../languages/en/admin.ts")).adminTexts,
    programme: async () => (await import("../../languages/en/programme.ts")).programmeTexts,
    details: async () => await import("../../languages/en/details.ts"),
  },
  es: {
    main: async () => (await import("../../languages/es/main.ts")).mainTexts,
    pages: async () => (await import("../../languages/es/pages.ts")).pageTexts,
    people: async () => (await import("../../languages/es/people.ts")).peopleTexts,
    profile: async () => (await import("../../languages/es/profile.ts")).profileTexts,
    screens: async () => (await import("../../languages/es/screens.ts")).screenTexts,
    admin: async () => (await import("../../languages/es/admin.ts")).adminTexts,
    programme: async () => (await import("../../languages/es/programme.ts")).programmeTexts,
    details: async () => await import("../../languages/es/details.ts"),
  },
  fr: {
    main: async () => (await import("../../languages/fr/main.ts")).mainTexts,
    pages: async () => (await import("../../languages/fr/pages.ts")).pageTexts,
    people: async () => (await import("../../languages/fr/people.ts")).peopleTexts,
    profile: async () => (await import("../../languages/fr/profile.ts")).profileTexts,
    screens: async () => (await import("../../languages/fr/screens.ts")).screenTexts,
    admin: async () => (await import("../../languages/fr/admin.ts")).adminTexts,
    programme: async () => (await import("../../languages/fr/programme.ts")).programmeTexts,
    details: async () => await import("../../languages/fr/details.ts"),
  },
  pt: {
    main: async () => (await import("../../languages/pt/main.ts")).mainTexts,
    pages: async () => (await import("../../languages/pt/pages.ts")).pageTexts,
    people: async () => (await import("../../languages/pt/people.ts")).peopleTexts,
    profile: async () => (await import("../../languages/pt/profile.ts")).profileTexts,
    screens: async () => (await import("../../languages/pt/screens.ts")).screenTexts,
    admin: async () => (await import("../../languages/pt/admin.ts")).adminTexts,
    programme: async () => (await import("../../languages/pt/programme.ts")).programmeTexts,
    details: async () => await import("../../languages/pt/details.ts"),
  },
}

/** The language tag of the page. */
export const language = signal<Language>("en")

/** The regional locale for numbers and dates, such as `en-GB`, if the browser prefers one for this language. */
export const locale = computed(
  () => navigator.languages.find((tag) => baseOf(tag) === language.value && isKnown(tag)) ?? language.value,
)

const currentTexts = signal<Partial<Texts>>({})

/**
 * The texts of the current language. Components that read them render again when the language changes. Each screen is shown
 * once the parts that it needs are loaded (`textParts` in addresses.ts).
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

/** The parts that were asked for; another language is loaded with all of them. */
const wanted = new Set<TextPart>(["main"])
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
export async function loadTexts(parts: readonly TextPart[]): Promise<void> {
  for (const part of parts) wanted.add(part)
  await show(latest)
}

/** How long an answer waits for the words of its message. */
const maxDetailsMs = 2000

/** Loads the replacements for messages of the server. If that fails or takes too long, the messages are shown as they are. */
export const loadDetails = (): Promise<unknown> => atMost(maxDetailsMs, loadTexts(["details"]))

async function show(tag: Language): Promise<void> {
  latest = tag
  const catalogue = catalogues[tag]
  const texts = Object.assign({}, ...(await Promise.all([...wanted].map((part) => catalogue[part]()))))
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
