import { en, type Texts } from "./en.ts"

/** Every language of the app by its tag, loaded when it is spoken. A new one is a file beside these and a line here. */
export const catalogues: Readonly<Record<string, () => Promise<Texts>>> = {
  en: async () => en,
  pt: async () => (await import("./pt.ts")).pt,
}

/** How each language calls itself, for those who choose. */
export const languageNames: Readonly<Record<string, string>> = { en: "English", pt: "Português" }
