import { type ArgDef, renderUsage } from "citty"
import { description, name as tool, version } from "../../../package.json"
import { choicesOf } from "./arguments.ts"
import type { Command } from "./command.ts"

/** The help of the whole tool: one line per command. */
export async function usage(commands: readonly Command[], colour: boolean): Promise<string> {
  const subCommands = Object.fromEntries(commands.map((one) => [one.name, definition(one)]))
  return cleaned(await renderUsage({ meta: { name: tool, version, description }, subCommands }), colour)
}

/** The help of one command, with an example. */
export async function usageOf(command: Command, colour: boolean): Promise<string> {
  const text = await renderUsage(definition(command), { meta: { name: tool, version } })
  return cleaned(`${text}\nEXAMPLE\n\n  ${command.example}`, colour)
}

const helpArg = { type: "boolean", alias: "h", description: "Print this help" } as const

const definition = ({ name, description, args }: Command) => ({
  meta: { name, description },
  args: { ...args, help: helpArg },
})

/** citty colours text whether or not it goes to a terminal, and leaves trailing spaces. */
const cleaned = (text: string, colour: boolean): string =>
  (colour ? text : Bun.stripANSI(text)).replace(/ +((\u001b\[\d+m)*)$/gm, "$1").trimEnd()

/** A command as completion scripts and the manual page need it, derived from its definition. */
export interface Described {
  /** The words of its name: `session list` has two. */
  readonly words: readonly string[]
  readonly description: string
  readonly example: string
  readonly options: readonly DescribedOption[]
  readonly positionals: readonly DescribedPositional[]
}

export interface DescribedOption {
  /** Without dashes. */
  readonly name: string
  /** One letter, without dash. */
  readonly alias: string | null
  readonly description: string
  /** The placeholder of its value; null when it takes none. */
  readonly value: string | null
  readonly choices: readonly string[]
}

export interface DescribedPositional {
  /** In capital letters. */
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
  readonly choices: readonly string[]
}

/** The placeholder of a value that is the path of a file. */
export const fileHint = "FILE"

export function described({ name, description, example, args }: Command): Described {
  const named = Object.entries(args)
  const isPositional = ([, { type }]: [string, ArgDef]) => type === "positional"
  return {
    words: name.split(" "),
    description,
    example,
    options: [...named.filter((one) => !isPositional(one)), ["help", helpArg] as [string, ArgDef]].map(option),
    positionals: named.filter(isPositional).map(positional),
  }
}

const option = ([name, def]: [string, ArgDef]): DescribedOption => ({
  name,
  alias: "alias" in def && typeof def.alias === "string" ? def.alias : null,
  description: def.description ?? "",
  value: def.type === "boolean" ? null : (def.valueHint ?? "VALUE"),
  choices: choicesOf(def),
})

const positional = ([name, def]: [string, ArgDef]): DescribedPositional => ({
  name: name.toUpperCase(),
  description: def.description ?? "",
  isRequired: def.required !== false,
  choices: choicesOf(def),
})
