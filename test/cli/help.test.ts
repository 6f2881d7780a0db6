import { expect, test } from "bun:test"
import { commands } from "../../src/cli/commands.ts"
import { usageOf } from "../../src/cli/help.ts"
import { entries } from "../../src/config/settings.ts"
import { operator } from "./operator.ts"

async function page(): Promise<string> {
  await using operates = await operator()
  const { status, stdout, stderr } = await operates.types(["manual"])
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  return stdout
}

/** As it is read: without requests, fonts and escapes. */
const read = (text: string): string =>
  text
    .replace(/^\.(?:SS|SH|B|I) /gm, "")
    .replace(/\\f[BIR]/g, "")
    .replaceAll("\\-", "-")
    .replaceAll("\\&", "")
    .replaceAll("\\e", "\\")

test("the manual page has every command with its options, arguments and example, and every setting", async () => {
  const text = read(await page())

  for (const { name, description, example, args } of commands) {
    expect(text).toMatch(new RegExp(`^rewards ${name}\\b`, "m"))
    expect(text).toContain(`\n${description}.\n`)
    expect(text).toContain(`\n.EX\n${example}\n.EE\n`)
    for (const [arg, { type, description = "" }] of Object.entries(args)) {
      expect(text).toMatch(type === "positional" ? new RegExp(`^${arg.toUpperCase()}$`, "m") : `--${arg}`)
      expect(text).toContain(`\n${description}`)
    }
  }
  for (const { path, variable, setting } of entries) {
    expect(text).toContain(`\n${path} (`)
    expect(text).toContain(`${setting.meaning}. `)
    expect(text).toContain(`Environment: ${variable}\n`)
  }
})

test("the manual page is valid roff: only known requests and escapes, and no text is read as a request", async () => {
  const known = /^\.(?:TH|SH|SS|TP|PP|EX|EE|br|B [^.].*)(?: .*)?$/
  const lines = (await page()).trimEnd().split("\n")

  expect(lines[0]).toBe('.TH REWARDS 1 "" "rewards 0.1.0" "User Commands"')
  expect(lines.filter((line) => /^[.']/.test(line) && !known.test(line))).toEqual([])
  expect(lines.filter((line) => /\\(?!f[BIR]|[-e&])/.test(line))).toEqual([])
  expect(lines.filter((line) => line === "")).toEqual([])
  expect(lines.filter((line, index) => line === ".TP" && lines[index + 2]?.startsWith("."))).toEqual([])
})

test("the manual page is the same each time", async () => {
  expect(await page()).toBe(await page())
})

test("no placeholder of an option pushes the descriptions far to the right", async () => {
  for (const command of commands) {
    const options = (await usageOf(command, false)).split("\n").filter((line) => /^ +-/.test(line))
    expect(options.length).toBeGreaterThan(0)
    for (const line of options) expect(line.trimStart().search(/ {4}/)).toBeWithin(0, 60)
  }
})

test("a long list of choices is shown in the description", async () => {
  const audit = commands.find(({ name }) => name === "audit")
  expect(audit && (await usageOf(audit, false))).toContain(
    "--action=<ACTION>    Only this action: login, login_failed,",
  )
})
