import { en, type Texts } from "./en.ts"

/**
 * Every language by its tag; each is loaded when it is chosen. A new language is a file beside these and a line here.
 */
export const catalogues: Readonly<Record<string, () => Promise<Texts>>> = {
  en: async () => en,
  pt: async () => (await import("./pt.ts")).pt,
}

/** The name of each language, in that language. */
export const languageNames: Readonly<Record<string, string>> = { en: "English", pt: "Português" }
