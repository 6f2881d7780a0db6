import type { SettingInForce } from "./load.ts"
import { type Entry, entries } from "./settings.ts"

/** The text of a new rewards.toml: every setting with its meaning. Those in `given` are set, all others commented out. */
export function configTemplate(given: readonly Pick<SettingInForce, "path" | "value">[]): string {
  const values = new Map(given.map(({ path, value }) => [path, value]))
  const sections = Object.entries(Object.groupBy(entries, ({ section }) => section))
  return [
    "# Settings of rewards. A commented line shows the default, or an example if there is no default.",
    "# Environment variables override this file: REWARDS_SERVER__PORT is `port` of [server],",
    "# REWARDS_SERVER__PORT_FILE names a file that holds the value, and lists are comma-separated.",
    "# Command-line flags override both.",
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

/** The default as TOML, or `not set` or `required`. */
export function defaultOf({ setting }: Entry): string {
  if (setting.presence === "defaulted") return toml(setting.default)
  return setting.presence === "optional" ? "not set" : "required"
}

/** The meaning and the accepted values, as sentences. */
export const meaningOf = ({ setting }: Entry): string => `${setting.meaning}. ${sentence(setting.kind.expected)}`

function templateLines({ key, path, setting }: Entry, values: ReadonlyMap<string, unknown>): string {
  const explained = [`# ${setting.meaning}.`, `# ${sentence(setting.kind.expected)}`]
  if (values.has(path)) return [...explained, `${key} = ${toml(values.get(path))}`].join("\n")
  if (setting.presence === "defaulted") return [...explained, `# ${key} = ${toml(setting.default)}`].join("\n")
  return [...explained, "# Not set by default; for example:", `# ${key} = ${toml(setting.example)}`].join("\n")
}

/** JSON strings, numbers, booleans and lists of strings are valid TOML. */
function toml(value: unknown): string {
  return JSON.stringify(value)
}

function sentence(expected: string): string {
  return `${expected.charAt(0).toUpperCase()}${expected.slice(1)}.`
}
