export type Table = Readonly<Record<string, unknown>>

/**
 * Bun's messages quote what they stumble over, which may be a secret, and name no position.
 * So the words end before anything quoted, and the line is found by parsing shorter and shorter beginnings.
 */
export function parseToml(text: string): { readonly table: Table } | { readonly problem: string } {
  try {
    return { table: Bun.TOML.parse(text) as Table }
  } catch (error) {
    return { problem: `${faultyLine(text)} is not${reason(error)}` }
  }
}

/** A section or an inline table. Bun hands out dates as objects too. */
export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

const mostLines = 1000

function faultyLine(text: string): string {
  const lines = text.split("\n")
  if (lines.length > mostLines) return "it"
  const lastWhole = lines.findLastIndex((_, index) => parses(lines.slice(0, index + 1).join("\n")))
  return `line ${lastWhole + 2}`
}

function parses(text: string): boolean {
  try {
    Bun.TOML.parse(text)
    return true
  } catch {
    return false
  }
}

function reason(error: unknown): string {
  const words =
    error instanceof Error ? /^TOML Parse error: ((?:[\w ;,/]|'[=[\]{},.]')+)/.exec(error.message)?.[1] : null
  return words ? `: ${words.replace(/( but found)? *$/, "")}` : ""
}
