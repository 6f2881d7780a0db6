import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../../src/cli/commands.ts"
import { parseArguments } from "../../src/cli/support/arguments.ts"
import { entries } from "../../src/config/settings.ts"
import { load } from "../config/support.ts"

const root = join(import.meta.dir, "../..")
const folder = "docs/operations"
const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"))
const interfacePages = [...new Bun.Glob("docs/interface/*.md").scanSync(join(import.meta.dir, "../.."))].sort()
const others = ["README.md", ...interfacePages, "docs/settings.md"]
const pages = [...others, ...names.map((name) => `${folder}/${name}`)].map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}))

test("every page is in the table of pages", () => {
  const index = pages.find(({ path }) => path === `${folder}/README.md`)?.text ?? ""
  expect(names.filter((name) => name !== "README.md" && !index.includes(`](${name})`))).toEqual([])
})

test("every command line in the pages is valid", () => {
  const lines = pages.flatMap(({ text }) => commandLines(text))
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.flatMap(misunderstood)).toEqual([])

  expect(commandLines("```sh\nsudo -u rewards rewards init \\\n  --db x\nsystemctl start rewards\n```")).toEqual([
    ["init", "--db", "x"],
  ])
  expect(misunderstood(["innit"])).toEqual(["innit: there is no such command"])
  expect(misunderstood(["init", "--unheard", "of"])).toEqual([
    "init --unheard of: unknown option --unheard; put an argument that begins with a dash after --",
  ])
})

test("every setting shown in TOML is valid", () => {
  const shown = pages.flatMap(({ text }) => fences(text, "toml"))
  expect(shown.length).toBeGreaterThan(2)
  for (const toml of shown) load({ toml })
})

test("every named setting exists", () => {
  const sections = new Set(entries.map(({ section }) => section))
  const paths = new Set(entries.map(({ path }) => path))
  const variables = new Set(entries.flatMap(({ variable }) => [variable, `${variable}_FILE`]))
  const unknown = pages.flatMap(({ path: page, text }) => [
    ...[...text.matchAll(/`(\w+)\.(\w+)`/g)]
      .filter(([, section = "", key = ""]) => sections.has(section) && key !== "log" && !paths.has(`${section}.${key}`))
      .map(([found]) => `${page}: ${found}`),
    ...[...text.matchAll(/REWARDS_\w+__\w+/g)]
      .filter(([variable]) => !variables.has(variable))
      .map(([found]) => `${page}: ${found}`),
  ])
  expect(unknown).toEqual([])
})

/** What stands between the fences of a language. */
const fences = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, inside = ""]) => inside)

/** The arguments of each call of `rewards` in a page's blocks of shell. */
function commandLines(text: string): string[][] {
  const blocks = [...fences(text, "sh"), ...fences(text, "console")].join("\n").replaceAll("\\\n", " ")
  const calls = blocks.matchAll(
    /^[$ ]*(?:[^|\n]+ \| )*(?:sudo -u rewards |docker exec rewards \/usr\/bin\/)?(?:\S*\/)?rewards (.*)$/gm,
  )
  return [...calls].map(([, rest = ""]) => words(rest.replace(/ [|&;<>#] .*$/, "")))
}

/** As a shell would part them. */
const words = (line: string): string[] =>
  line.match(/"[^"]*"|'[^']*'|\S+/g)?.map((word) => word.replace(/^["']|["']$/g, "")) ?? []

function misunderstood(line: readonly string[]): string[] {
  const called = commands.filter(({ name }) => `${line.join(" ")} `.startsWith(`${name} `))
  const command = called.toSorted((one, other) => other.name.length - one.name.length)[0]
  if (command === undefined) return [`${line.join(" ")}: there is no such command`]
  try {
    parseArguments(line.slice(command.name.split(" ").length), command.args)
    return []
  } catch (error) {
    return [`${line.join(" ")}: ${error instanceof Error ? error.message : error}`]
  }
}
