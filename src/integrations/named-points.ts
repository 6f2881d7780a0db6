import { mainTexts as de } from "../domain/languages/de/main.ts"
import { mainTexts as en } from "../domain/languages/en/main.ts"
import { mainTexts as es } from "../domain/languages/es/main.ts"
import { mainTexts as fr } from "../domain/languages/fr/main.ts"
import type { Language } from "../domain/languages/languages.ts"
import { mainTexts as pt } from "../domain/languages/pt/main.ts"
import { type Units, unitsIn, withUnits } from "../domain/languages/units.ts"
import type { Programme } from "../domain/programme/model.ts"

const ownUnits: Readonly<Record<Language, Units>> = {
  de: de.units,
  en: en.units,
  es: es.units,
  fr: fr.units,
  pt: pt.units,
}

/** What points are called in all languages. */
export const allUnits: readonly string[] = Object.values(ownUnits).flatMap(({ one, many }) => [one, many])

/** Texts of mail and chats that call points what the programme calls them. */
export const withNamedPoints = <T>(texts: T, language: Language, { points_name }: Pick<Programme, "points_name">): T =>
  withUnits(texts, unitsIn(ownUnits[language], points_name), language)
