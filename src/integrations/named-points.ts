import type { Language } from "../domain/languages.ts"
import type { Programme } from "../domain/programme/model.ts"
import { units as de } from "../languages/de/points.ts"
import { units as en } from "../languages/en/points.ts"
import { units as es } from "../languages/es/points.ts"
import { units as fr } from "../languages/fr/points.ts"
import { units as pt } from "../languages/pt/points.ts"
import { type Units, unitsIn, withUnits } from "../languages/units.ts"

const ownUnits: Readonly<Record<Language, Units>> = { de, en, es, fr, pt }

/** What points are called in all languages. */
export const allUnits: readonly string[] = Object.values(ownUnits).flatMap(({ one, many }) => [one, many])

/** Texts of mail and chats that call points what the programme calls them. */
export const withNamedPoints = <T>(texts: T, language: Language, { points_name }: Pick<Programme, "points_name">): T =>
  withUnits(texts, unitsIn(ownUnits[language], points_name), language)
