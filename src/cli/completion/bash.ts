import { type Described, type DescribedOption, fileHint } from "../described.ts"
import { firstWords, groupsOf, offers, secondWord } from "./words.ts"

/**
 * For bash 3.2 and later, with or without the package bash-completion. Where this offers nothing, bash completes names
 * of files, unless it is told not to; old ones know no compopt and always do.
 */
export const bashCompletion = (commands: readonly Described[]): string => `\
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
${commands.map(branch).join("\n")}
    *) return ;;
  esac
  compopt +o default 2>/dev/null
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _rewards rewards`

function branch(command: Described): string {
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
