import type { Described } from "../described.ts"

/** What may stand first on a command line. */
export const firstWords = (commands: readonly Described[]): string[] => [
  ...new Set(commands.map(({ words: [first = ""] }) => first)),
]

/** First words of several commands, each with the second words that go behind it. */
export function groupsOf(commands: readonly Described[]): { first: string; members: readonly Described[] }[] {
  const groups = Map.groupBy(
    commands.filter(({ words }) => words.length > 1),
    ({ words: [first = ""] }) => first,
  )
  return [...groups].map(([first, members]) => ({ first, members }))
}

/** What stands behind the first word. */
export const secondWord = ({ words: [, second = ""] }: Described): string => second

/** Everything that is known of what may come: choices of arguments, then options. */
export const offers = ({ positionals, options }: Described): string[] => [
  ...positionals.flatMap(({ choices }) => choices),
  ...options.map(({ name }) => `--${name}`),
]
