import type { ArgDef } from "citty"
import { choicesOf } from "./arguments.ts"
import type { Command } from "./command.ts"

/** A command as completion and manual show it: all of it comes from the definition. */
export interface Described {
  /** `session list` has two. */
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
  /** What its value is called; null when it takes none. */
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

/** How a value is called that is the path of a file. */
export const fileHint = "FILE"

const help: DescribedOption = { name: "help", alias: "h", description: "Print this", value: null, choices: [] }

export function described({ name, description, example, args }: Command): Described {
  const named = Object.entries(args)
  const isPositional = ([, { type }]: [string, ArgDef]) => type === "positional"
  return {
    words: name.split(" "),
    description,
    example,
    options: [...named.filter((one) => !isPositional(one)).map(option), help],
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
