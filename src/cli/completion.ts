import { type Command, command } from "./command.ts"
import { bashCompletion } from "./completion/bash.ts"
import { fishCompletion } from "./completion/fish.ts"
import { zshCompletion } from "./completion/zsh.ts"
import { type Described, described } from "./described.ts"

const scripts: Record<string, (commands: readonly Described[]) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** Prints a script with which a shell completes command lines. It starts nothing: all answers stand in it. */
export const completion = (commands: () => readonly Command[]) =>
  command({
    name: "completion",
    description: "Print a completion script for a shell",
    example: "rewards completion bash > /etc/bash_completion.d/rewards",
    args: {
      shell: {
        type: "positional",
        required: true,
        valueHint: Object.keys(scripts).join("|"),
        description: "For which",
      },
    },
    async run({ shell }, { print }) {
      await print(scripts[shell]?.(commands().map(described)) ?? "")
    },
  })
