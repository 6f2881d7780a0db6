import type { Language } from "../../domain/languages.ts"
import type { PointsName } from "../../domain/programme/model.ts"
import type { Recap } from "../../domain/recognition/recaps.ts"
import { recap as deRecap } from "../../languages/de/app/recap.ts"
import { give as deGive } from "../../languages/de/app/transfer.ts"
import * as de from "../../languages/de/points.ts"
import { recap as enRecap } from "../../languages/en/app/recap.ts"
import { give as enGive } from "../../languages/en/app/transfer.ts"
import * as en from "../../languages/en/points.ts"
import { recap as esRecap } from "../../languages/es/app/recap.ts"
import { give as esGive } from "../../languages/es/app/transfer.ts"
import * as es from "../../languages/es/points.ts"
import { recap as frRecap } from "../../languages/fr/app/recap.ts"
import { give as frGive } from "../../languages/fr/app/transfer.ts"
import * as fr from "../../languages/fr/points.ts"
import { recap as ptRecap } from "../../languages/pt/app/recap.ts"
import { give as ptGive } from "../../languages/pt/app/transfer.ts"
import * as pt from "../../languages/pt/points.ts"
import { unitsIn } from "../../languages/units.ts"
import { fill, writingOf } from "../../languages/writing.ts"

/** What the picture of a look back says. */
export interface RecapWords {
  /** The names of a person or of the company; the first that can be drawn counts. */
  readonly titles: readonly string[]
  /** Null for the company. */
  readonly initials: string | null
  readonly period: string
  readonly figures: readonly Figure[]
  readonly tags: readonly string[]
  /** The first that can be drawn counts. */
  readonly quotes: readonly { readonly text: string; readonly by: string }[]
  readonly service: string
}

interface Figure {
  readonly name: string
  readonly number: string
  /** What is counted, with the space that parts it from the number; in German, `-mal` has none. */
  readonly unit: string
  readonly detail: string
}

export interface Shown {
  readonly recap: Recap
  /** Whose it is; null for the company's. */
  readonly person: { readonly name: string; readonly username: string } | null
  /** The setting `service.name`. */
  readonly service: string
  readonly language: Language
  readonly pointsName: PointsName
}

const textsFrom = ({ units, points }: typeof en, { people }: typeof enGive, recap: typeof enRecap) => ({
  units,
  points,
  people,
  recap,
})

const textsOf: Readonly<Record<Language, ReturnType<typeof textsFrom>>> = {
  de: textsFrom(de, deGive, deRecap),
  en: textsFrom(en, enGive, enRecap),
  es: textsFrom(es, esGive, esRecap),
  fr: textsFrom(fr, frGive, frRecap),
  pt: textsFrom(pt, ptGive, ptRecap),
}

/** Says what the app's page of the same look back says. */
export function recapWords({ recap, person, service, language, pointsName }: Shown): RecapWords {
  const texts = textsOf[language]
  const { number, count, month } = writingOf(language)
  const { received, given, words, period, unit, ended } = recap
  const said = texts.recap
  const { one, many } = unitsIn(texts.units, pointsName)
  const points = (value: number) => fill(count(value, texts.points), { unit: one, units: many })
  const times = (value: number) => count(value, said.times)
  const figure = (name: string, value: number, text: string, detail: string): Figure => ({
    ...{ name, number: number(value), detail },
    unit: text.replace(number(value), "").trimEnd(),
  })
  const [year = "", quarter = ""] = period.split("-Q")
  const periodText =
    unit === "month" ? month(`${period}-01`) : fill(said.quarters[Number(quarter) - 1] ?? "{year}", { year })

  return {
    titles: person === null ? [service] : [person.name, person.username],
    initials: person && initialsOf(person.name),
    period: ended ? periodText : `${periodText} · ${said.soFar}`,
    figures:
      person === null
        ? [
            figure(said.recognition, received.count, times(received.count), points(received.value)),
            figure(
              said.tookPart,
              received.people,
              count(received.people, texts.people),
              count(given.people, said.gave),
            ),
          ]
        : [
            figure(
              said.received,
              received.value,
              points(received.value),
              fill(count(received.people, said.fromPeople), { times: times(received.count) }),
            ),
            figure(
              said.given,
              given.value,
              points(given.value),
              fill(count(given.people, said.toPeople), { times: times(given.count) }),
            ),
          ],
    tags: recap.tags.map(({ tag }) => `#${tag}`),
    quotes: words.map(({ text, from, to }) => ({
      text,
      by: person === null ? fill(said.thanked, { from: from.name, to: to.name }) : from.name,
    })),
    service,
  }
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => [...(word ?? "")][0]?.toLocaleUpperCase() ?? "").join("")
}
