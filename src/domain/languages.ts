/** The languages of the app, of mail and of chats. Each has a folder of texts in `src/languages/`. */
export const languages = ["de", "en", "es", "fr", "pt"] as const

export type Language = (typeof languages)[number]
