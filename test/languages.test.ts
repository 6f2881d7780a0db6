import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { languages } from "../src/domain/languages.ts"
import { fill, languageNames, type Plural, writingOf } from "../src/languages/writing.ts"

const root = `${import.meta.dir}/../src/languages`
const filesOf = (language: string) => [...new Bun.Glob("**/*.ts").scanSync(`${root}/${language}`)].toSorted()
const files = filesOf("en")
/** Those that put texts of others together. */
const together = files.filter((file) => /^(chat|mail)\.ts$|^chunks\//.test(file))
const parts = files.filter((file) => !together.includes(file))
/** English has words for a few refusals only, and shows the rest as the server says them; for other languages see
 *  test/ui/failure-messages.test.ts. */
const optional = "refusals.ts"

type Text = string | Plural
const isPlural = (value: object): value is Plural =>
  "other" in value &&
  Object.values(value).every((one) => typeof one === "string" && /#|\{|\w/.test(one)) &&
  Object.keys(value).every((key) => ["zero", "one", "two", "few", "many", "other"].includes(key))

/** Every text by its path, such as `give.lookTitle`. */
function textsIn(value: unknown, path = ""): [string, Text][] {
  if (typeof value === "string") return [[path, value]]
  if (typeof value !== "object" || value === null) throw new Error(`${path} is no text`)
  if (isPlural(value)) return [[path, value]]
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, path === "" ? key : `${path}.${key}`))
}

const read = async (language: string, part: string) => textsIn({ ...(await import(`${root}/${language}/${part}`)) })

/** The name of points may be in either number, and begin a sentence in one language alone. */
const placeholders = (text: string) =>
  (text.match(/\{\w*\}/g) ?? [])
    .map((one) => one.replace(/^\{[Uu]nits?\}$/, "{units}"))
    .toSorted()
    .join(" ")
const formsOf = (text: Text) => (typeof text === "string" ? [text] : Object.values(text))

test("every language has a folder with the files of English, and a name", () => {
  expect(
    readdirSync(root, { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([...languages])
  for (const language of languages) expect(filesOf(language)).toEqual(files)
  expect(Object.keys(languageNames)).toEqual([...languages])
})

test.each(languages)("the files of %s that put texts together are those of English", async (language) => {
  const read = (of: string) => Promise.all(together.map((file) => Bun.file(`${root}/${of}/${file}`).text()))
  expect(together.length).toBeGreaterThan(5)
  expect(await read(language)).toEqual(await read("en"))
})

test.each(languages)("%s has each text of English, with the same placeholders, and none is empty", async (language) => {
  for (const part of parts.filter((one) => one !== optional)) {
    const english = new Map(await read("en", part))
    const texts = await read(language, part)
    expect(texts.map(([path]) => path).toSorted()).toEqual([...english.keys()].toSorted())
    for (const [path, text] of texts)
      for (const form of formsOf(text)) {
        expect(`${path}: ${form.trim()}`).toBe(`${path}: ${form.endsWith("\n") ? form.trim() : form}`)
        expect(form).not.toBe("")
        const wanted = formsOf(english.get(path) ?? "").map(placeholders)
        expect({ path, has: wanted.includes(placeholders(form)) }).toEqual({ path, has: true })
      }
  }
})

test.each(languages)(
  "%s has the plural forms that it needs, each with the number, save that of one thing",
  async (language) => {
    const rules = new Intl.PluralRules(language)
    const needed = [...new Set(Array.from({ length: 200 }, (_, number) => rules.select(number)))].toSorted()
    const numbers = (text = "") => text.split("#").length
    for (const part of parts) {
      const english = new Map(await read("en", part))
      for (const [path, text] of await read(language, part)) {
        const said = english.get(path)
        if (typeof text === "string" || typeof said !== "object") continue
        expect({ path, forms: Object.keys(text).toSorted() }).toEqual({ path, forms: needed })
        for (const form of needed.filter((one) => one !== "one"))
          expect({ path, form, numbers: numbers(text[form]) }).toEqual({ path, form, numbers: numbers(said.other) })
      }
    }
  },
)

test.each(languages)(
  "what %s says of a refusal has the numbers and names of the server's message",
  async (language) => {
    const { details } = await import(`${root}/${language}/${optional}`)
    for (const [rule, said] of Object.entries<string>(details.rules)) {
      const numbers = (text: string) => text.split("#").length
      expect({ rule, numbers: numbers(said) <= numbers(rule) }).toEqual({ rule, numbers: true })
      expect(placeholders(said)).toBe(placeholders(rule))
    }
  },
)

test("numbers, plurals and dates are written as the language writes them", () => {
  const [english, portuguese] = [writingOf("en"), writingOf("pt")]
  expect(english.count(1000, { one: "# point", other: "# points" })).toBe("1,000 points")
  expect(english.count(1, { one: "# point", other: "# points" })).toBe("1 point")
  expect(portuguese.count(0, { one: "# ponto", other: "# pontos" })).toBe("0 ponto")
  expect([english.month("2026-03-01"), portuguese.month("2026-03-01")]).toEqual(["March 2026", "março de 2026"])
  expect([english.day("2026-03-03"), portuguese.day("2026-03-03")]).toEqual(["3 March 2026", "3 de março de 2026"])
  expect(english.moment(Date.UTC(2026, 2, 3, 14, 5), "UTC")).toBe("3 March 2026 at 14:05")
  expect(portuguese.moment(Date.UTC(2026, 2, 3, 14, 5), "America/Sao_Paulo")).toBe("3 de março de 2026 às 11:05")
})

test("a value is never taken for a placeholder", () => {
  expect(fill("{from} thanked {to}", { from: "{to}", to: "Ana" })).toBe("{to} thanked Ana")
  expect(fill("{nobody}", {})).toBe("{nobody}")
})

test.each(languages)(
  "%s never says what points are called: the name that the programme gives them is filled in",
  async (language) => {
    const { units } = await import(`${root}/${language}/points.ts`)
    const words = new RegExp(`(?<![{\\p{L}])(?:${units.one}|${units.many})(?![}\\p{L}])`, "iu")
    const others = parts.filter((part) => !["points.ts", optional].includes(part))
    const texts = (await Promise.all(others.map((part) => read(language, part)))).flat()
    expect(texts.filter(([, text]) => formsOf(text).some((form) => words.test(form)))).toEqual([])
  },
)
