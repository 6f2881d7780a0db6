import { expect, test } from "bun:test"
import { dirname, join } from "node:path"
import { addresses, screenModules, screenTexts } from "../../src/ui/addresses.ts"
import { catalogues, type TextChunk } from "../../src/ui/texts/texts.ts"

const root = join(import.meta.dir, "../..")
const sourcesOf = async (pattern: string) =>
  new Map(
    await Promise.all(
      [...new Bun.Glob(pattern).scanSync(root)].map(
        async (path) => [path, await Bun.file(join(root, path)).text()] as const,
      ),
    ),
  )
const modules = await sourcesOf("src/ui/**/*.{ts,tsx}")

interface Module {
  /** The groups of texts that it reads, such as `give`. */
  readonly groups: readonly string[]
  /** The modules that it loads without texts of their own. */
  readonly loads: readonly string[]
  /** Those that it loads together with their texts. */
  readonly withTexts: readonly { readonly path: string; readonly chunks: readonly TextChunk[] }[]
}

const loadedWithTexts = /import\("([^"]+)"\),\s*loadTexts\(\[([^\]]*)\]\)/g

function read(path: string): Module {
  const text = modules.get(path) ?? ""
  const at = (specifier: string) => join(dirname(path), specifier)
  const withTexts = [...text.matchAll(loadedWithTexts)].map(([, specifier = "", chunks]) => ({
    path: at(specifier),
    chunks: JSON.parse(`[${chunks}]`) as TextChunk[],
  }))
  const imports = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" }).scanImports(text)
  return {
    groups: [
      ...[...text.matchAll(/\bt\(\)\.(\w+)/g)].map(([, group = ""]) => group),
      ...[...text.matchAll(/const \{([^}]*)\} = t\(\)(?!\.)/g)].flatMap(([, names = ""]) =>
        names.split(",").map((name) => name.replace(/:.*/, "").trim()),
      ),
    ],
    // The table of screens loads each of them with its texts.
    loads: imports
      .map((one) => at(one.path))
      .filter((one) => path !== "src/ui/screens.tsx" && modules.has(one) && !withTexts.some((two) => two.path === one)),
    withTexts,
  }
}

/** Every module that `path` loads without texts of their own, itself included. */
function loadedBy(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const one of read(path).loads) loadedBy(one, seen)
  return seen
}

async function unloaded(path: string, chunks: readonly TextChunk[]): Promise<string[]> {
  const loaded = await Promise.all(
    ["main" as const, ...chunks].map(async (chunk) => (await catalogues.en[chunk]()).texts),
  )
  // The words of refusals are loaded after one, and missed by nobody until then.
  const known = new Set([...loaded.flatMap((texts) => Object.keys(texts)), "details"])
  const groups = new Set([...loadedBy(path)].flatMap((one) => read(one).groups))
  return [...groups].filter((group) => !known.has(group))
}

test.each(Object.keys(addresses) as (keyof typeof addresses)[])(
  "the screen at the address %s loads all texts that its modules read",
  async (name) => {
    expect(await unloaded(`src/ui/${screenModules[name]}`, screenTexts[name])).toEqual([])
  },
)

test("every page loads all texts that the modules of the start read", async () => {
  expect(await unloaded("src/ui/main.tsx", [])).toEqual([])
})

test("what is loaded later comes with all texts that it reads", async () => {
  const later = [...modules.keys()].flatMap((path) => read(path).withTexts)
  expect(later.length).toBeGreaterThan(3)
  for (const { path, chunks } of later) expect([path, await unloaded(path, chunks)]).toEqual([path, []])
})

test("a component reads texts in one of the two forms that this test knows", () => {
  const others = [...modules].filter(
    ([path, text]) => path !== "src/ui/texts/texts.ts" && /(?<!\} = |\w)t\(\)(?!\.\w)/.test(text),
  )
  expect(others.map(([path]) => path)).toEqual([])
})

test("each file with texts of the app is in one chunk", async () => {
  const chunks = [...(await sourcesOf("src/languages/en/chunks/*.ts")).values()].join("")
  const files = [...(await sourcesOf("src/languages/en/app/**/*.ts")).keys()]
  const times = files.map((path) => chunks.split(`"../${path.slice("src/languages/en/".length)}"`).length - 1)
  expect(files.filter((_, index) => times[index] !== 1)).toEqual([])
})
