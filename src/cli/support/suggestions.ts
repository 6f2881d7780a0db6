/** A longer list would be no hint. */
const maxSuggestions = 3

/**
 * The commands whose names are nearest to what was typed. The words of a name may come in any order and with hyphens, so
 * `users list` is near `user-list`. A single word may also be the verb of a command (`deactivate`) or the noun of several
 * (`users`).
 */
export function nearestCommands([first = "", second = ""]: readonly string[], names: readonly string[]): string[] {
  const whole = names.map((name) => ({ name, form: inOrder(name) }))
  const composed = names.filter((name) => name.includes(" "))
  const nouns = [...new Set(composed.map((name) => wordsOf(name)[0] ?? ""))]
  // A single word is compared with verbs too, below: `import` is one of them, and only near `export`.
  const withTwo = second === "" ? [] : nearest(inOrder(`${first} ${second}`), whole)
  if (withTwo.length > 0) return withTwo
  if (nouns.includes(first))
    return nearest(inOrder(second), verbsOf(composed.filter((name) => wordsOf(name)[0] === first)))
  return nearest(inOrder(first), [...whole, ...verbsOf(composed), ...nouns.map((name) => ({ name, form: name }))])
}

/** The names that are nearest to the one that was typed, if any are near. */
export const nearestNames = (typed: string, names: readonly string[]): string[] =>
  nearest(
    typed,
    names.map((name) => ({ name, form: name })),
  )

/** `; did you mean A, B or C?`, or nothing. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return ""
  const others = names.slice(0, -1).join(", ")
  return `; did you mean ${others === "" ? "" : `${others} or `}${names.at(-1)}?`
}

const wordsOf = (name: string): string[] => name.toLowerCase().split(/[\s-]+/)

const inOrder = (name: string): string => wordsOf(name).toSorted().join(" ").trim()

const verbsOf = (names: readonly string[]): Candidate[] =>
  names.map((name) => ({ name, form: inOrder(name.slice(name.indexOf(" ") + 1)) }))

interface Candidate {
  readonly name: string
  /** What is compared with what was typed. */
  readonly form: string
}

/** The candidates with the fewest edits, if a third of the letters or less differ. */
function nearest(typed: string, candidates: readonly Candidate[]): string[] {
  const most = Math.max(1, Math.floor(typed.length / 3))
  const measured = candidates
    .filter(({ form }) => Math.abs(form.length - typed.length) <= most)
    .map(({ name, form }) => ({ name, edits: editsBetween(typed, form) }))
    .filter(({ edits }) => edits <= most && edits < typed.length)
  const fewest = Math.min(...measured.map(({ edits }) => edits))
  const names = [...new Set(measured.filter(({ edits }) => edits === fewest).map(({ name }) => name))]
  return names.length > maxSuggestions ? [] : names
}

/** How many letters to insert, delete, replace or swap with the next one. */
function editsBetween(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1]
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
