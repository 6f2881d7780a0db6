import type { Group } from "./commands.ts"
import type { Line } from "./help.ts"
import { parseArguments } from "./support/arguments.ts"
import { type Command, type CommandContext, type FileArgs, withFileOptions } from "./support/command.ts"
import { explain, isClosedPipe, UsageError } from "./support/failures.ts"
import { didYouMean, nearestCommands, nearestNames } from "./support/suggestions.ts"
import { visible, visibleLines } from "./support/terminal.ts"

/** Runs one command line and returns the exit status: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runCommandLine(given: readonly string[], context: CommandContext): Promise<number> {
  const rawArgs = given[0] === "help" ? [...given.slice(1), "--help"] : given
  const { words, command, rest } = await named(rawArgs)
  try {
    if (command && !asksForHelp(rest)) {
      await command.run(rest, context)
      return 0
    }
    const { usage, usageOf } = await import("./help.ts")
    const { commands, groups, nouns } = await import("./commands.ts")
    if (rawArgs.length === 0) {
      context.printError(usage("rewards", listsOf(groups, nouns), false))
      return 2
    }
    if (command) await context.print(await usageOf(command, context.colour))
    else {
      const members = offered(commands, words, rest)
      const lists = words.length === 0 ? listsOf(groups, nouns) : { Commands: members }
      await context.print(usage(["rewards", ...words].join(" "), lists, context.colour))
    }
    return 0
  } catch (error) {
    if (isClosedPipe(error)) return 0
    const message = explain(error)
    if (!(error instanceof UsageError)) {
      context.printError(visibleLines(command ? withFileOptions(message, fileArgsIn(command, rest)) : message))
      return 1
    }
    context.printError(visibleLines(message))
    context.printError(`See: ${["rewards", ...words, "--help"].join(" ")}`)
    return 2
  }
}

/** The options that name the database. Empty for `copy`, whose messages may be about its other database. */
function fileArgsIn({ name, args }: Command, rest: readonly string[]): FileArgs {
  const given = name === "copy" ? {} : parseArguments(rest, args)
  const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)
  return { config: textOf(given.config), db: textOf(given.db) }
}

interface Named {
  /** The first words, if they name a command or a group of commands. */
  readonly words: readonly string[]
  readonly command?: Command
  readonly rest: readonly string[]
}

/** The help of the whole tool: a line for each command, or for the noun in `nouns` with which several of them begin. */
function listsOf(groups: readonly Group[], nouns: Readonly<Record<string, string>>): Record<string, readonly Line[]> {
  const lineOf = ({ name, description }: Line): Line => {
    const [first = ""] = name.split(" ")
    const about = nouns[first]
    return first === name || about === undefined ? { name, description } : { name: first, description: about }
  }
  return Object.fromEntries(
    groups.map(({ title, commands }) => {
      const lines = new Map(commands.map(lineOf).map((line) => [line.name, line]))
      return [title, [...lines.values()]]
    }),
  )
}

/** Loads the commands other than `serve` on demand, so that a server starts faster. */
const allCommands = async (): Promise<readonly Command[]> => (await import("./commands.ts")).commands

async function named(rawArgs: readonly string[]): Promise<Named> {
  const [first = "", second] = rawArgs
  if (first === "serve") return { words: [first], command: (await import("./serve.ts")).serve, rest: rawArgs.slice(1) }
  const commands = await allCommands()
  const { versionCommand } = await import("./help.ts")
  if (first === "--version") return { words: [versionCommand.name], command: versionCommand, rest: rawArgs.slice(1) }
  for (const words of [[first, second], [first]]) {
    const command = commands.find(({ name }) => name === words.join(" "))
    if (command) return { words: command.name.split(" "), command, rest: rawArgs.slice(words.length) }
  }
  return beginningWith(commands, first).length > 0
    ? { words: [first], rest: rawArgs.slice(1) }
    : { words: [], rest: rawArgs }
}

const beginningWith = (commands: readonly Command[], word: string) =>
  commands.filter(({ name }) => name.startsWith(`${word} `))

/** The commands that help shows when no command is named. @throws UsageError unless help is requested */
function offered(
  commands: readonly Command[],
  words: readonly string[],
  [arg, ...others]: readonly string[],
): readonly Command[] {
  const [first] = words
  const choice = first === undefined ? commands : beginningWith(commands, first)
  if (arg === undefined) throw new UsageError(`one of ${choice.map(({ name }) => `rewards ${name}`).join(", ")}`)
  if (isHelp(arg)) return choice
  if (arg.startsWith("-")) {
    const option = arg.replace(/=.*/s, "")
    const hint = didYouMean(nearestNames(option, ["--help", "--version"])) || "; options of a command come after it"
    throw new UsageError(`unknown option ${visible(option)}${hint}`)
  }
  const nearest = nearestCommands(
    [...words, arg, ...others],
    commands.map(({ name }) => name),
  )
  throw new UsageError(
    `unknown command ${[...words, visible(arg)].join(" ")}${didYouMean(nearest.map((name) => `rewards ${name}`))}`,
  )
}

const isHelp = (arg: string): boolean => arg === "--help" || arg === "-h"

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--")
  return args.slice(0, end < 0 ? undefined : end).some(isHelp)
}
