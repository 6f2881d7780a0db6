import type { Language } from "../../domain/languages.ts"
import type { PointsName } from "../../domain/programme/model.ts"
import type { Recap } from "../../domain/recognition/recaps.ts"
import { mainTexts as deMain } from "../../languages/de/main.ts"
import { pageTexts as dePages } from "../../languages/de/pages.ts"
import { mainTexts as enMain } from "../../languages/en/main.ts"
import { pageTexts as enPages } from "../../languages/en/pages.ts"
import { mainTexts as esMain } from "../../languages/es/main.ts"
import { pageTexts as esPages } from "../../languages/es/pages.ts"
import { mainTexts as frMain } from "../../languages/fr/main.ts"
import { pageTexts as frPages } from "../../languages/fr/pages.ts"
import { mainTexts as ptMain } from "../../languages/pt/main.ts"
import { pageTexts as ptPages } from "../../languages/pt/pages.ts"
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

const textsFrom = ({ units, points, give }: typeof enMain, { recap }: typeof enPages) => ({
  units,
  points,
  people: give.people,
  recap,
})

const textsOf: Readonly<Record<Language, ReturnType<typeof textsFrom>>> = {
  de: textsFrom(deMain, dePages),
  en: textsFrom(enMain, enPages),
  es: textsFrom(esMain, esPages),
  fr: textsFrom(frMain, frPages),
  pt: textsFrom(ptMain, ptPages),
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
