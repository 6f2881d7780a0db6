import type { Language } from "../domain/languages.ts"
import type { Programme } from "../domain/programme/model.ts"
import { mainTexts as de } from "../languages/de/main.ts"
import { mainTexts as en } from "../languages/en/main.ts"
import { mainTexts as es } from "../languages/es/main.ts"
import { mainTexts as fr } from "../languages/fr/main.ts"
import { mainTexts as pt } from "../languages/pt/main.ts"
import { type Units, unitsIn, withUnits } from "../languages/units.ts"

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
