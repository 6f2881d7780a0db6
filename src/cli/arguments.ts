import type { ArgDef, ArgsDef } from "citty"
import { UsageError } from "./failures.ts"

/** Marks an option that takes a list: given again, it adds to it. Any other option may be given once. */
export const repeats = { type: "string", repeats: true } as const

const takesList = (def: ArgDef): boolean => "repeats" in def

/**
 * The arguments as the definition has them: every option as `--name` or `--name=value`, then `--`, then what has no
 * name. citty alone drops what it does not know, takes a missing value for an empty one and `-5` for options.
 * Messages name options and never repeat a value, which may be a password.
 * @throws UsageError
 */
export function checkedArguments(rawArgs: readonly string[], definition: ArgsDef): string[] {
  const options: string[] = []
  const positionals: string[] = []
  const seen = new Set<string>()

  const rest = [...rawArgs]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") positionals.push(...rest.splice(0))
    else if (!isOption(arg)) positionals.push(arg)
    else options.push(option(arg, rest, definition, seen))
  }

  const names = positionalNames(definition)
  const missing = names.slice(positionals.length, requiredCount(definition))
  if (missing.length > 0) throw new UsageError(`missing ${missing.join(" ")}`)
  if (positionals.length > names.length)
    throw new UsageError(names.length === 0 ? "no arguments expected" : `too many arguments: only ${names.join(" ")}`)
  const defs = Object.values(definition).filter(({ type }) => type === "positional")
  for (const [index, value] of positionals.entries()) checkChoice(names[index] ?? "", value, defs[index])
  return [...options, "--", ...positionals]
}

/** The values of each option that takes a list, in the order given; `checked` comes from `checkedArguments`. */
export function listsIn(checked: readonly string[], definition: ArgsDef): Record<string, readonly string[]> {
  const options = checked.slice(0, checked.indexOf("--"))
  const valuesOf = (name: string) =>
    options.filter((option) => option.startsWith(`--${name}=`)).map((option) => option.slice(name.length + 3))
  const lists = Object.entries(definition).filter(([, def]) => takesList(def))
  return Object.fromEntries(lists.map(([name]) => [name, valuesOf(name)]))
}

/** The only values that are taken: those of a hint such as `bash|zsh|fish`. Empty when any is. */
export const choicesOf = ({ valueHint }: ArgDef): readonly string[] =>
  valueHint?.includes("|") ? valueHint.split("|") : []

/** In the order in which they are given, as shown to people. */
export const positionalNames = (definition: ArgsDef): string[] =>
  Object.entries(definition).flatMap(([name, { type }]) => (type === "positional" ? [name.toUpperCase()] : []))

/** Those that may be left out stand last. */
const requiredCount = (definition: ArgsDef): number =>
  Object.values(definition).filter(({ type, required }) => type === "positional" && required !== false).length

/** A dash alone means standard input, and a dash before a digit a negative number. */
const isOption = (arg: string): boolean => /^-[^\d]/s.test(arg)

/** Takes the option's value off `rest` when it stands there, and adds its name to `seen`. */
function option(arg: string, rest: string[], definition: ArgsDef, seen: Set<string>): string {
  const [given, name, def] = named(arg, definition)
  if (seen.has(name) && !takesList(def)) throw new UsageError(`option ${given} is given twice`)
  seen.add(name)
  const inline = arg.startsWith("--") && arg.includes("=") ? arg.slice(arg.indexOf("=") + 1) : undefined
  if (def.type === "boolean") {
    if (inline !== undefined) throw new UsageError(`option ${given} takes no value`)
    return `--${name}`
  }
  const next = rest[0]
  const value = inline ?? (next === undefined || isOption(next) ? "" : rest.shift())
  if (!value) throw new UsageError(`option ${given} needs a value`)
  checkChoice(`option ${given}`, value, def)
  return `--${name}=${value}`
}

function named(arg: string, definition: ArgsDef): [given: string, name: string, def: ArgDef] {
  const isLong = arg.startsWith("--")
  const given = isLong ? arg.replace(/=.*/s, "") : arg
  const bare = given.replace(/^--?/, "")
  for (const [name, def] of Object.entries(definition)) {
    const known = isLong ? name === bare : "alias" in def && def.alias === bare
    if (known && def.type !== "positional") return [given, name, def]
  }
  const shown = isLong ? given : given.slice(0, 2)
  throw new UsageError(`unknown option ${shown}; an argument that begins with a dash goes behind --`)
}

function checkChoice(what: string, value: string, def: ArgDef | undefined) {
  const choices = def === undefined ? [] : choicesOf(def)
  if (choices.length > 0 && !choices.includes(value)) throw new UsageError(`${what}: one of ${choices.join(", ")}`)
}
