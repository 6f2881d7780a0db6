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
