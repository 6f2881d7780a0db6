import { expect, test } from "bun:test"
import type { Recap } from "../../../src/domain/recognition/recaps.ts"
import { recapWords } from "../../../src/formats/pictures/recap-words.ts"

const usual = { one: "point", many: "points" }
const ana = { name: "Ana de Souza", username: "ana-souza" }
const party = (name: string) => ({ name, username: name.toLowerCase(), avatar: null })

const recap: Recap = {
  ...{ period: "2026-Q4", unit: "quarter", from: "2026-10-01", to: "2026-12-31", ended: true },
  received: { count: 48, value: 1250, people: 1 },
  given: { count: 1, value: 1, people: 11 },
  ...{ months: [], mostActive: null, people: [], longest: null, first: null, last: null },
  tags: [{ tag: "care", count: 3 }],
  words: [{ recognitionId: 7, text: "You stayed", from: party("Bruno"), to: party("Ana"), date: 0 }],
}

test("the picture says what the page says: name, quarter, points, how often, by how many people, tags and words", () => {
  expect(recapWords({ recap, person: ana, service: "Thanks", language: "en", pointsName: usual })).toEqual({
    titles: ["Ana de Souza", "ana-souza"],
    initials: "AS",
    period: "4th quarter of 2026",
    figures: [
      { name: "Received", number: "1,250", unit: " points", detail: "48 times, from 1 person" },
      { name: "Given", number: "1", unit: " point", detail: "1 time, to 11 people" },
    ],
    tags: ["#care"],
    quotes: [{ text: "You stayed", by: "Bruno" }],
    service: "Thanks",
  })
})

test("the company's has its name, numbers of people, and who thanked whom; points have the programme's name", () => {
  const stars = { one: "estrela", many: "estrelas" }
  const company = { ...recap, period: "2026-11", unit: "month", ended: false } as const
  expect(
    recapWords({ recap: company, person: null, service: "Obrigado", language: "pt", pointsName: stars }),
  ).toMatchObject({
    titles: ["Obrigado"],
    initials: null,
    period: "novembro de 2026 · até agora",
    figures: [
      { name: "Reconhecimentos", number: "48", unit: " vezes", detail: "1.250 estrelas" },
      { name: "Receberam agradecimentos", number: "1", unit: " pessoa", detail: "11 pessoas agradeceram" },
    ],
    quotes: [{ by: "Bruno agradeceu a Ana" }],
  })
})

test("the usual name of points is each language's own word, and a year is its number", () => {
  const year = { ...recap, period: "2026", unit: "year" } as const
  expect(recapWords({ recap: year, person: ana, service: "S", language: "pt", pointsName: usual })).toMatchObject({
    period: "2026",
    figures: [{ unit: " pontos" }, { unit: " ponto" }],
  })
  expect(recapWords({ recap: year, person: null, service: "S", language: "de", pointsName: usual })).toMatchObject({
    figures: [{ number: "48", unit: "-mal" }, {}],
  })
})
