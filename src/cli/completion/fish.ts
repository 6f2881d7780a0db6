import { type Described, type DescribedOption, fileHint } from "../described.ts"
import { groupsOf, secondWord } from "./words.ts"

/** To be sourced, or put into ~/.config/fish/completions as rewards.fish. */
export const fishCompletion = (commands: readonly Described[]): string =>
  [
    "# fish completion for rewards, written by: rewards completion fish",
    "# Whether these words, and no others, stand before the cursor.",
    "function __rewards_at",
    "  set -l words (commandline -opc)",
    '  test "$words[2..-1]" = "$argv"',
    "end",
    "# Whether the words before the cursor begin with these.",
    "function __rewards_in",
    "  set -l words (commandline -opc)",
    '  string match -q -- "$argv *" "$words[2..-1] "',
    "end",
    "complete -c rewards -f",
    ...commands
      .filter(({ words }) => words.length === 1)
      .map((command) => offer("", command.words.join(" "), command.description)),
    ...groupsOf(commands).flatMap(({ first, members }) => [
      offer("", first, members.map(secondWord).join(", ")),
      ...members.map((member) => offer(first, secondWord(member), member.description)),
    ]),
    ...commands.flatMap(linesOf),
  ].join("\n")

function linesOf({ words, options, positionals }: Described): string[] {
  const name = words.join(" ")
  return [
    ...positionals.flatMap(({ choices, description }) => choices.map((choice) => offer(name, choice, description))),
    ...options.map((option) => `complete -c rewards -n '__rewards_in ${name}' ${optionSpec(option)}`),
  ]
}

const offer = (behind: string, word: string, description: string): string =>
  `complete -c rewards -n '__rewards_at ${behind}' -a ${word} -d ${quoted(description)}`

function optionSpec({ name, alias, description, value, choices }: DescribedOption): string {
  const short = alias === null ? "" : ` -s ${alias}`
  const takes =
    value === null ? "" : value === fileHint ? " -r -F" : ` -x${choices.length > 0 ? ` -a '${choices.join(" ")}'` : ""}`
  return `-l ${name}${short}${takes} -d ${quoted(description)}`
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`
