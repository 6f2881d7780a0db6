import { type Entry, entries } from "./settings.ts"
import type { Settled } from "./settle.ts"

/** The text of a new rewards.toml: every setting with its meaning, those in `given` set, all others commented out. */
export function configTemplate(given: readonly Pick<Settled, "path" | "value">[]): string {
  const values = new Map(given.map(({ path, value }) => [path, value]))
  const sections = Object.entries(Object.groupBy(entries, ({ section }) => section))
  return [
    "# Settings of rewards. A line that is commented out shows the default, or an example where there is none.",
    "# An environment variable goes before this file: REWARDS_SERVER__PORT is `port` of [server],",
    "# REWARDS_SERVER__PORT_FILE names a file with its value, and lists are comma-separated there.",
    "# A command-line flag goes before both.",
    ...sections.map(([section, inside = []]) =>
      [`\n[${section}]`, ...inside.map((entry) => templateLines(entry, values))].join("\n\n"),
    ),
    "",
  ].join("\n")
}

/** The settings as a Markdown table, for docs/settings.md. */
export function settingsTable(): string {
  const rows = entries.map((entry) => [
    `\`${entry.path}\``,
    entry.setting.presence === "defaulted" ? `\`${defaultOf(entry)}\`` : defaultOf(entry),
    `\`${entry.variable}\``,
    meaningOf(entry),
  ])
  return [["Setting", "Default", "Environment", "Meaning"], ["---", "---", "---", "---"], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`)
    .join("")
}

/** As the file would have it; in words where there is none. */
export function defaultOf({ setting }: Entry): string {
  if (setting.presence === "defaulted") return toml(setting.default)
  return setting.presence === "optional" ? "not set" : "required"
}

/** In whole sentences, with what is taken. */
export const meaningOf = ({ setting }: Entry): string => `${setting.meaning}. ${sentence(setting.kind.expected)}`

function templateLines({ key, path, setting }: Entry, values: ReadonlyMap<string, unknown>): string {
  const explained = [`# ${setting.meaning}.`, `# ${sentence(setting.kind.expected)}`]
  if (values.has(path)) return [...explained, `${key} = ${toml(values.get(path))}`].join("\n")
  if (setting.presence === "defaulted") return [...explained, `# ${key} = ${toml(setting.default)}`].join("\n")
  return [...explained, "# Not set by default; for example:", `# ${key} = ${toml(setting.example)}`].join("\n")
}

/** JSON's texts, numbers, booleans and lists of texts are TOML's too. */
function toml(value: unknown): string {
  return JSON.stringify(value)
}

function sentence(expected: string): string {
  return `${expected.charAt(0).toUpperCase()}${expected.slice(1)}.`
}
