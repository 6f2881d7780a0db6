import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "..")
const rows = rowsOf(read("docs/promises.md"))
const longRows = rowsOf(read("docs/long-runs.md"))
/** Their commands, up to the options. */
const longForms = longRows.flatMap(([command = ""]) => /^`bun (test test\/\w+|[^\s`]+)/.exec(command)?.[1] ?? [])
/** Runs at length and breaks nothing: it keeps what a release writes. */
const recorder = "test/upgrade/record.ts"

test("there are 25 promises, and each names existing suites, with links to the same paths", () => {
  expect(rows).toHaveLength(25)
  const links = [...rows, ...longRows].flatMap(([, suites = ""]) => {
    const found = [...suites.matchAll(/\[`(test\/[^`]+)`\]\(\.\.\/(test\/[^)]+)\)/g)]
    return found.length === 0 ? [[suites, ""]] : found.map(([, label = "", path = ""]) => [label, path])
  })

  expect(links.filter(([label, path = ""]) => path !== label || !existsSync(join(root, path)))).toEqual([])
})

test("each suite that runs at length is named by a promise", () => {
  const suites = longRows.map(([, suite = ""]) => suite)
  expect(suites.filter((suite) => !rows.some(([, named = ""]) => named.split(", ").includes(suite)))).toEqual([])
})

test("no promise is listed twice", () => {
  const promises = rows.map(([promise = ""]) => promise.replace(/\.$/, ""))

  expect(promises.filter((promise, index) => promises.indexOf(promise) !== index)).toEqual([])
})

test("every long form shares its parts with a short form in the suite", () => {
  expect(longForms).toHaveLength(longRows.length)
  expect(longForms.filter((command) => !isTestedFolder(command) && !hasShortForm(command))).toEqual([])

  expect(hasShortForm(recorder)).toBe(false)
  expect(isTestedFolder("test test/unheard-of")).toBe(false)
})

test("every long-running program in test/ is listed", () => {
  const programs = [...new Bun.Glob("test/**/*.ts").scanSync(root)].filter((path) =>
    read(path).includes(`\n * bun ${path}`),
  )

  expect(programs.filter((path) => path !== recorder).sort()).toEqual(
    [...new Set(longForms)].filter((path) => path.endsWith(".ts")).sort(),
  )
})

test("every long form has a result with a date", () => {
  expect(longRows.map((row) => row[2] ?? "").filter((result) => !/^20\d\d-\d\d-\d\d\b/.test(result))).toEqual([])
})

function read(path: string): string {
  return readFileSync(join(root, path), "utf8")
}

/** The cells of each row of its table. */
function rowsOf(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("| "))
  return lines.slice(2).map((line) => line.slice(2, -2).split(" | "))
}

/** `test test/access`: the suite runs all of it anyway. */
function isTestedFolder(command: string): boolean {
  const folder = /^test (test\/\w+)$/.exec(command)?.[1]
  return folder !== undefined && [...new Bun.Glob(`${folder}/*.test.ts`).scanSync(root)].length > 0
}

function hasShortForm(program: string): boolean {
  if (!existsSync(join(root, program))) return false
  const parts = partsOf(program)
  return [".test.ts", ".long.test.ts"]
    .map((ending) => program.replace(/\.ts$/, ending))
    .filter((short) => existsSync(join(root, short)))
    .some((short) => partsOf(short).some((part) => parts.includes(part)))
}

/** What it takes from the files beside it. */
const partsOf = (path: string): string[] =>
  [...read(path).matchAll(/ from "(\.\/[^"]+)"/g)].map(([, part = ""]) => part)
