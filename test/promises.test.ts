import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "..")
const [withLongForm = "", withoutLongForm = ""] = read("docs/promises.md").split("## Without a long form")
const longRows = rowsOf(withLongForm)
const rows = [...longRows, ...rowsOf(withoutLongForm)]
/** Their commands, up to the options. */
const longForms = longRows.flatMap(([, , command = ""]) => /^`bun (test test\/\w+|[^\s`]+)/.exec(command)?.[1] ?? [])
/** Runs at length and breaks nothing: it keeps what a release writes. */
const recorder = "test/upgrade/record.ts"

test("every promise names existing tests, with links to the same paths", () => {
  expect(rows.length).toBeGreaterThan(50)
  const links = rows.flatMap(([, tests = ""]) => {
    const found = [...tests.matchAll(/\[`(test\/[^`]+)`\]\(\.\.\/(test\/[^)]+)\)/g)]
    return found.length === 0 ? [[tests, ""]] : found.map(([, label = "", path = ""]) => [label, path])
  })

  expect(links.filter(([label = "", path = ""]) => !path.startsWith(label) || !existsSync(join(root, path)))).toEqual(
    [],
  )
})

test("no promise is listed twice", () => {
  const promises = rows.map(([promise = ""]) => promise.replace(/\.$/, ""))

  expect(promises.filter((promise, index) => promises.indexOf(promise) !== index)).toEqual([])
})

test("every long form shares its parts with a short form in the suite", () => {
  expect(longForms).toHaveLength(longRows.filter(([, , command]) => command !== "the same").length)
  expect(longForms.filter((command) => !isTestedFolder(command) && !hasShortForm(command))).toEqual([])

  expect(hasShortForm(recorder)).toBe(false)
  expect(isTestedFolder("test test/unheard-of")).toBe(false)
})

test("every long-running program in test/ belongs to a promise", () => {
  const programs = [...new Bun.Glob("test/**/*.ts").scanSync(root)].filter((path) =>
    read(path).includes(`\n * bun ${path}`),
  )

  expect(programs.filter((path) => path !== recorder).sort()).toEqual(
    [...new Set(longForms)].filter((path) => path.endsWith(".ts")).sort(),
  )
})

test("every long form has a result with a date", () => {
  expect(
    longRows.map((row) => row[3] ?? "").filter((result) => !/^(20\d\d-\d\d-\d\d\b|the same$)/.test(result)),
  ).toEqual([])
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
