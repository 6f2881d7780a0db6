import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/* test/README.md says which suites hold the files that have no test of their name. */

const root = join(import.meta.dir, "..")
const sources = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(root)].filter((path) => !path.endsWith(".d.ts"))
/** What a test needs beside the sources: `bun run test` runs those without a kind. */
const kinds = [".browser", ".postgres", ".long"]
const rows = [...readFileSync(join(root, "test/README.md"), "utf8").matchAll(/^\| `(src\/[^`]+)` \| (.+) \|$/gm)].map(
  ([, held = "", suites = ""]) => ({ held, suites: [...suites.matchAll(/`([^`]+)`/g)].map(([, suite = ""]) => suite) }),
)
const unnamed = sources.filter((path) => !hasTestOfItsName(path))

test("each source file has a test of its name, or a suite that holds its folder", () => {
  expect(unnamed.length).toBeGreaterThan(0)
  expect(unnamed.filter((path) => rowOf(path) === undefined)).toEqual([])
})

test("each row is of a file or folder that needs it, and names suites", () => {
  const needed = new Set(unnamed.map(rowOf))
  expect(rows.map(({ held }) => held).filter((held) => !needed.has(held))).toEqual([])
  const named = rows.flatMap(({ suites }) => suites)
  expect(rows.filter(({ suites }) => suites.length === 0)).toEqual([])
  expect(named.filter((suite) => !isSuite(suite))).toEqual([])
})

test("a test has in its name whether it starts a browser or PostgreSQL, so that the other tests need neither", () => {
  const tests = [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].filter((path) => !path.endsWith(".long.test.ts"))
  const said = (path: string) => kinds.find((kind) => path.endsWith(`${kind}.test.ts`)) ?? ""
  expect(tests.filter((path) => starts(path) === ".browser" && said(path) !== ".browser")).toEqual([])
  expect(tests.filter((path) => starts(path) === ".postgres" && said(path) !== ".postgres")).toEqual([])
})

function hasTestOfItsName(path: string): boolean {
  const name = path.replace(/^src\//, "test/").replace(/\.tsx?$/, "")
  return ["", ...kinds].some((kind) => existsSync(join(root, `${name}${kind}.test.ts`)))
}

/** The kind that its imports tell. A long test may start anything. */
function starts(test: string): string {
  const text = readFileSync(join(root, test), "utf8")
  if (/ from "[./]+(test-app|ui\/browser|browser)\.ts"/.test(text)) return ".browser"
  return / from "[^"]*(support\/postgres|postgres\/support)\.ts"/.test(text) ? ".postgres" : ""
}

/** The row of the file or of the nearest folder around it. */
function rowOf(path: string): string | undefined {
  if (path === ".") return undefined
  return rows.some(({ held }) => held === path) ? path : rowOf(dirname(path))
}

function isSuite(path: string): boolean {
  if (path.endsWith(".test.ts")) return existsSync(join(root, path))
  return [...new Bun.Glob(`${path}/**/*.test.ts`).scanSync(root)].length > 0
}
