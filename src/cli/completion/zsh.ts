import { type Described, type DescribedOption, type DescribedPositional, fileHint } from "../described.ts"
import { groupsOf, secondWord } from "./words.ts"

/** To be sourced, or put under the name _rewards into a folder of $fpath. */
export const zshCompletion = (commands: readonly Described[]): string => `\
#compdef rewards
# zsh completion for rewards, written by: rewards completion zsh
_rewards() {
  local -a commands
  if (( CURRENT == 2 )); then
    commands=(
${indented(6, [...commands.filter(({ words }) => words.length === 1).map(named), ...groupsOf(commands).map(group)])}
    )
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
${groupsOf(commands).map(groupBranch).join("\n")}
  esac
  case $name in
${commands.map(branch).join("\n")}
  esac
}
if [[ $funcstack[1] == _rewards ]]; then
  _rewards "$@"
else
  compdef _rewards rewards
fi`

const named = ({ words, description }: Described): string => quoted(`${words.at(-1)}:${escaped(description)}`)

const group = ({ first, members }: { first: string; members: readonly Described[] }): string =>
  quoted(`${first}:${members.map(secondWord).join(", ")}`)

const groupBranch = ({ first, members }: { first: string; members: readonly Described[] }): string => `\
    ${first})
      if (( CURRENT == 2 )); then
        commands=(
${indented(10, members.map(named))}
        )
        _describe command commands
        return
      fi
      name="$name $words[2]"
      shift words
      (( CURRENT-- ))
      ;;`

const branch = ({ words, options, positionals }: Described): string => `\
    ${quoted(words.join(" "))})
      _arguments \\
${[...options.map(optionSpec), ...positionals.map(positionalSpec)].map((spec) => `        ${spec}`).join(" \\\n")}
      ;;`

function optionSpec({ name, alias, description, value, choices }: DescribedOption): string {
  const rest = `[${escaped(description)}]${value === null ? "" : `:${value}:${completed(value, choices)}`}`
  if (alias === null) return quoted(`--${name}${value === null ? "" : "="}${rest}`)
  return `'(-${alias} --${name})'{-${alias},--${name}}${quoted(rest)}`
}

const positionalSpec = ({ name, isRequired, choices }: DescribedPositional): string =>
  quoted(`:${isRequired ? "" : ":"}${name}:${completed(name, choices)}`)

function completed(value: string, choices: readonly string[]): string {
  if (value === fileHint) return "_files"
  return `(${choices.join(" ")})`
}

const escaped = (text: string): string => text.replace(/[\\:[\]]/g, "\\$&")

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const indented = (by: number, lines: readonly string[]): string => lines.map((line) => " ".repeat(by) + line).join("\n")
