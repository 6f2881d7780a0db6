import { type Described, type DescribedOption, type DescribedPositional, described, fileHint } from "./help.ts"
import { argument } from "./support/arguments.ts"
import { type Command, command } from "./support/command.ts"

/**
 * Prints a completion script for a shell. The script contains all completions, because a library such as @bomb.sh/tab
 * would start this program at each press of the tab key.
 */
export const completion = (commands: () => readonly Command[]) =>
  command({
    name: "completion",
    description: "Print a completion script for a shell",
    example: "rewards completion bash > /etc/bash_completion.d/rewards",
    args: {
      shell: { ...argument("The shell"), valueHint: "bash|zsh|fish" },
    },
    async run({ shell }, { print }) {
      await print(scripts[shell]?.(commands().map(described)) ?? "")
    },
  })

/**
 * For bash 3.2 and later, with or without the package bash-completion. Where the script offers nothing, bash completes file
 * names. The script turns that off where no file is expected; versions of bash without compopt cannot.
 */
const bashCompletion = (commands: readonly Described[]): string => `\
# bash completion for rewards, written by: rewards completion bash
_rewards() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words
  # bash takes --option=value apart.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $before == "=" ]]; then
    before=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  case "$COMP_CWORD \${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
    "1 "*) words="${firstWords(commands).join(" ")} --help --version" ;;
${groupsOf(commands)
  .map(({ first, members }) => `    "2 ${first} "*) words="${members.map(secondWord).join(" ")} --help" ;;`)
  .join("\n")}
${commands.map(bashBranch).join("\n")}
    *) return ;;
  esac
  compopt +o default 2>/dev/null
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _rewards rewards`

function bashBranch(command: Described): string {
  const { words, options } = command
  const pattern = words.length > 1 ? `*" ${words.join(" ")}"` : `*" ${words[0]} "*`
  const valued = options.filter(({ value }) => value !== null)
  const files = valued.filter(({ value }) => value === fileHint).map(flag)
  const lines = [
    ...(files.length > 0 ? [`${files.join(" | ")}) return ;;`] : []),
    ...valued
      .filter(({ value }) => value !== fileHint)
      .map((one) => `${flag(one)}) words="${one.choices.join(" ")}" ;;`),
  ]
  const otherwise = `words="${offers(command).join(" ")}"`
  if (lines.length === 0) return `    ${pattern}) ${otherwise} ;;`
  return [
    `    ${pattern})`,
    "      case $before in",
    ...[...lines, `*) ${otherwise} ;;`].map((line) => `        ${line}`),
    "      esac",
    "      ;;",
  ].join("\n")
}

const flag = ({ name }: DescribedOption): string => `--${name}`

/** A script to source, or to save as _rewards in a folder of $fpath. */
export const zshCompletion = (commands: readonly Described[]): string => `\
#compdef rewards
# zsh completion for rewards, written by: rewards completion zsh
_rewards() {
  local -a commands
  if (( CURRENT == 2 )); then
    commands=(
${indented(6, [...commands.filter(({ words }) => words.length === 1).map(zshCommand), ...groupsOf(commands).map(zshGroup)])}
    )
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
${groupsOf(commands).map(zshGroupBranch).join("\n")}
  esac
  case $name in
${commands.map(zshBranch).join("\n")}
  esac
}
if [[ $funcstack[1] == _rewards ]]; then
  _rewards "$@"
else
  compdef _rewards rewards
fi`

const zshCommand = ({ words, description }: Described): string =>
  zshQuoted(`${words.at(-1)}:${zshEscaped(description)}`)

const zshGroup = ({ first, members }: { first: string; members: readonly Described[] }): string =>
  zshQuoted(`${first}:${members.map(secondWord).join(", ")}`)

const zshGroupBranch = ({ first, members }: { first: string; members: readonly Described[] }): string => `\
    ${first})
      if (( CURRENT == 2 )); then
        commands=(
${indented(10, members.map(zshCommand))}
        )
        _describe command commands
        return
      fi
      name="$name $words[2]"
      shift words
      (( CURRENT-- ))
      ;;`

const zshBranch = ({ words, options, positionals }: Described): string => `\
    ${zshQuoted(words.join(" "))})
      _arguments \\
${[...options.map(zshOption), ...positionals.map(zshPositional)].map((spec) => `        ${spec}`).join(" \\\n")}
      ;;`

function zshOption({ name, alias, description, value, choices }: DescribedOption): string {
  const rest = `[${zshEscaped(description)}]${value === null ? "" : `:${value}:${zshValues(value, choices)}`}`
  if (alias === null) return zshQuoted(`--${name}${value === null ? "" : "="}${rest}`)
  return `'(-${alias} --${name})'{-${alias},--${name}}${zshQuoted(rest)}`
}

const zshPositional = ({ name, isRequired, choices }: DescribedPositional): string =>
  zshQuoted(`:${isRequired ? "" : ":"}${name}:${zshValues(name, choices)}`)

function zshValues(value: string, choices: readonly string[]): string {
  if (value === fileHint) return "_files"
  return `(${choices.join(" ")})`
}

const zshEscaped = (text: string): string => text.replace(/[\\:[\]]/g, "\\$&")

const zshQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const indented = (by: number, lines: readonly string[]): string => lines.map((line) => " ".repeat(by) + line).join("\n")

/** A script to source, or to save as rewards.fish in ~/.config/fish/completions. */
export const fishCompletion = (commands: readonly Described[]): string =>
  [
    "# fish completion for rewards, written by: rewards completion fish",
    "# Whether exactly these words stand before the cursor.",
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
      .map((command) => fishOffer("", command.words.join(" "), command.description)),
    ...groupsOf(commands).flatMap(({ first, members }) => [
      fishOffer("", first, members.map(secondWord).join(", ")),
      ...members.map((member) => fishOffer(first, secondWord(member), member.description)),
    ]),
    ...commands.flatMap(fishLines),
  ].join("\n")

function fishLines({ words, options, positionals }: Described): string[] {
  const name = words.join(" ")
  return [
    ...positionals.flatMap(({ choices, description }) => choices.map((choice) => fishOffer(name, choice, description))),
    ...options.map((option) => `complete -c rewards -n '__rewards_in ${name}' ${fishOption(option)}`),
  ]
}

const fishOffer = (behind: string, word: string, description: string): string =>
  `complete -c rewards -n '__rewards_at ${behind}' -a ${word} -d ${fishQuoted(description)}`

function fishOption({ name, alias, description, value, choices }: DescribedOption): string {
  const short = alias === null ? "" : ` -s ${alias}`
  const takes =
    value === null ? "" : value === fileHint ? " -r -F" : ` -x${choices.length > 0 ? ` -a '${choices.join(" ")}'` : ""}`
  return `-l ${name}${short}${takes} -d ${fishQuoted(description)}`
}

const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`

/** The first words of all commands. */
const firstWords = (commands: readonly Described[]): string[] => [
  ...new Set(commands.map(({ words: [first = ""] }) => first)),
]

/** First words that several commands share, each with those commands. */
function groupsOf(commands: readonly Described[]): { first: string; members: readonly Described[] }[] {
  const groups = Map.groupBy(
    commands.filter(({ words }) => words.length > 1),
    ({ words: [first = ""] }) => first,
  )
  return [...groups].map(([first, members]) => ({ first, members }))
}

const secondWord = ({ words: [, second = ""] }: Described): string => second

/** What can follow a command: choices of its arguments, then its options. */
const offers = ({ positionals, options }: Described): string[] => [
  ...positionals.flatMap(({ choices }) => choices),
  ...options.map(({ name }) => `--${name}`),
]

const scripts: Readonly<Record<string, (commands: readonly Described[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}
