import { expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { settingsTable } from "../src/config/template.ts"

const root = join(import.meta.dir, "..")
const pages = await Promise.all(
  ["*.md", "docs/**/*.md", "test/**/*.md"]
    .flatMap((glob) => [...new Bun.Glob(glob).scanSync(root)])
    .map(async (path) => ({
      path,
      text: await Bun.file(join(root, path)).text(),
    })),
)
const readme = await Bun.file(join(root, "README.md")).text()

const placeholders = /NAME|RESOURCE/
/** The part of a line that is a comment, roughly: a URL also counts. */
const commentLine = /(?:\/\/|^\s*\/?\*).*$/gm

test("every source path in a page exists", () => {
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w./-])(?:src|test|drizzle|tooling)\/[\w./-]*/g)]
      .map(([file]) => file.replace(/\.$/, ""))
      .filter((file) => !placeholders.test(file) && !existsSync(join(root, file)))
      .map((file) => `${path}: ${file}`),
  )
  expect(named).toEqual([])
})

test("every source path in a comment exists", async () => {
  const files = ["src", "bench", "tooling", "client/src"].flatMap((folder) =>
    [...new Bun.Glob("**/*.{ts,tsx}").scanSync(join(root, folder))].map((path) => `${folder}/${path}`),
  )
  const named = await Promise.all(
    files.map(async (path) =>
      [...(await Bun.file(join(root, path)).text()).matchAll(commentLine)]
        .flatMap(([line]) => line.match(/(?<![\w./-])(?:src|test|docs|drizzle|tooling)\/[\w./-]*\w/g) ?? [])
        .map((file) => ({ path, file })),
    ),
  )
  expect(named.flat().length).toBeGreaterThan(20)
  expect(named.flat().filter(({ file }) => !existsSync(join(root, file)))).toEqual([])
})

test("every source file in a page exists, even if only its name is given", () => {
  const files = ["src", "client", "test", "docs", "tooling", "bench", "drizzle"].flatMap((folder) =>
    [...new Bun.Glob("**/*.{ts,tsx,sql,lua}").scanSync(join(root, folder))].map((path) => `/${folder}/${path}`),
  )
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w./-])[\w-]+(?:\/[\w.-]+)*\.(?:tsx?|sql|lua)\b/g)].map(([file]) => ({ path, file })),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(
    named.filter(({ file }) => !placeholders.test(file) && !files.some((known) => known.endsWith(`/${file}`))),
  ).toEqual([])
})

test("every link of a page within the repository has a target", () => {
  const links = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, target = ""]) => join(dirname(path), target)),
  )
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test("every section of a page of the interface that a comment cites exists", async () => {
  const sectionsOf = new Map(
    pages
      .filter(({ path }) => path.startsWith("docs/interface/"))
      .map(({ path, text }) => [path, [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)]),
  )
  const cited = (
    await Promise.all(
      ["src/**/*.{ts,tsx}", "test/**/*.ts"]
        .flatMap((glob) => [...new Bun.Glob(glob).scanSync(root)])
        .map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })),
    )
  ).flatMap(({ path, text }) =>
    [...text.matchAll(/(docs\/interface\/[\w-]+\.md),[\s*]+"([^"]+)"/g)].map(([, page = "", section = ""]) => ({
      ...{ path, page },
      section: section.replace(/\s+\*?\s*/g, " "),
    })),
  )
  expect(cited.length).toBeGreaterThan(5)
  expect(cited.filter(({ page, section }) => !sectionsOf.get(page)?.includes(section))).toEqual([])
})

test("the pages that a newcomer reads first stay short, and five recipes are among them", () => {
  const textOf = (name: string) => pages.find(({ path }) => path === name)?.text ?? ""
  const [contributing, architecture] = [textOf("CONTRIBUTING.md"), textOf("docs/architecture.md")]
  expect(Buffer.byteLength(contributing)).toBeWithin(5000, 15_000)
  expect(Buffer.byteLength(architecture)).toBeWithin(5000, 20_000)
  expect(architecture.match(/^```mermaid$/gm)).toHaveLength(3)
  const [, recipes = ""] = /^## Recipes$(.*?)^## /ms.exec(contributing) ?? []
  expect(recipes.match(/^### /gm)).toHaveLength(5)
})

test("no sentence of the pages for newcomers has more than 25 words", () => {
  const first = ["CONTRIBUTING.md", "docs/architecture.md", "docs/promises.md"]
  const sentences = pages.filter(({ path }) => first.includes(path)).flatMap(({ text }) => sentencesOf(text))
  expect(sentences.length).toBeGreaterThan(150)
  expect(sentences.filter((sentence) => sentence.split(" ").length > 25)).toEqual([])
  expect(sentencesOf("One [two three](x.md) four.\n\n- Five | six. Seven")).toEqual([
    ...["One two three four.", "- Five | six.", "Seven"],
  ])
})

/** Of the prose and of cells of tables, without code; a link counts as its text. */
const sentencesOf = (page: string): string[] =>
  page
    .replace(/^ *```.*?^ *```$/gms, "")
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\|)|(?<=^\|[^\n]*) \| /m)
    .map((part) =>
      part
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .flatMap((part) => part.split(/(?<=[.!?:;]) /))

test("the list of recipes has every recipe", () => {
  const folder = "docs/recipes/"
  const list = pages.find(({ path }) => path === `${folder}README.md`)?.text ?? ""
  const listed = [...list.matchAll(/^- \[.+\]\((.+)\)$/gm)].map(([, name]) => `${folder}${name}`)
  const recipes = pages.map(({ path }) => path).filter((path) => path.startsWith(folder) && !path.endsWith("README.md"))
  expect(listed.toSorted()).toEqual(recipes.toSorted())
})

test("docs/settings.md shows every setting as the table of settings has it", async () => {
  expect(await Bun.file(join(root, "docs/settings.md")).text()).toContain(settingsTable())
})

test("docs/screens shows exactly the pictures that exist", async () => {
  const folder = join(root, "docs/screens")
  const shown = picturesIn(await Bun.file(join(folder, "README.md")).text())
  expect(shown.toSorted()).toEqual(
    readdirSync(folder)
      .filter((name) => name.endsWith(".png"))
      .toSorted(),
  )
  const first = picturesIn(readme)
  expect(first).toHaveLength(4)
  expect(first.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

const picturesIn = (text: string) => [...text.matchAll(/ (?:src|srcset)="([^"]+)"/g)].map(([, path = ""]) => path)
