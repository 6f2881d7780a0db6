/** Rows under a header, in columns two spaces apart. Wide characters count as they show. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows.map((row) => row.map(visible))]
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => Bun.stringWidth(cells[column] ?? ""))))
  const padded = (cell: string, column: number) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell))
  return lines.map((cells) => cells.map(padded).join("  ").trimEnd()).join("\n")
}

/** Text of other people for a terminal: what would drive it, or turn a line around, is shown as its code. */
export const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

/** The same on several lines, whose ends stay. */
export const visibleLines = (text: string): string => text.replace(/\r(?!\n)|[^\r\n]+/g, visible)

/** Milliseconds since the epoch, in UTC. */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** JSON for a program that reads on; people can read it too. What would drive a terminal is escaped, as JSON allows. */
export const json = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[\x7f-\x9f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

/** `1 transaction`, `2 transactions`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
