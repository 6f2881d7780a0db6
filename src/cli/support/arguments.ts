import type { ArgDef, ArgsDef } from "citty"
import { UsageError } from "./failures.ts"
import { didYouMean, nearestNames } from "./suggestions.ts"

/** Marks an option that may be repeated to collect a list. Any other option may be given once. */
export const repeats = { type: "string", repeats: true } as const

/** An option with a value; `valueHint` stands for it in the help, or lists the choices: `bash|zsh|fish`. */
export const option = (valueHint: string, description: string) => ({ type: "string", valueHint, description }) as const

/** An option whose values are collected in a list. */
export const listOption = (valueHint: string, description: string) => ({ ...repeats, valueHint, description }) as const

/** An option without a value. */
export const flag = (description: string) => ({ type: "boolean", description }) as const

/** A required argument without a name. */
export const argument = (description: string) => ({ type: "positional", required: true, description }) as const

/** An argument that is the id of `what`, in digits. */
export const idArg = (what: string) =>
  ({ type: "positional", required: true, description: `The id of ${what}`, idOf: what }) as const

/** An argument that is the path of a file. */
export const pathArg = { type: "positional", isPath: true } as const

type Value = string | true | readonly string[]

const takesList = (def: ArgDef): boolean => "repeats" in def

/**
 * Parses the arguments of one command: the value of each option and positional argument by name. A list is empty unless
 * given; anything else is absent, unless it has a default. Options are `--name VALUE`, `--name=VALUE` or `-n`, in any
 * place; after `--` nothing is an option.
 *
 * Not done with a library: citty ignores unknown options and accepts missing values, and both citty and `parseArgs` of
 * node:util take `-5` for an option. Messages name options and never quote a value, which may be a password.
 * @throws UsageError
 */
export function parseArguments(rawArgs: readonly string[], definition: ArgsDef): Readonly<Record<string, Value>> {
  const options = new Map<string, Value>()
  const positionals: string[] = []

  const rest = [...rawArgs]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") positionals.push(...rest.splice(0))
    else if (isOption(arg)) parseOption(arg, rest, definition, options)
    else positionals.push(arg)
  }
  const given = { ...named(positionals, definition), ...Object.fromEntries(options) }
  const missing = Object.entries(definition).filter(([name, def]) => isNeeded(def) && given[name] === undefined)
  if (missing.length > 0) throw new UsageError(`missing ${missing.map(shown).join(" ")}`)
  return { ...defaultsOf(definition), ...given }
}

/** Parses the value of `what`, such as VALUE or --stock. The rule of the command says which integers are allowed.
 *  @throws UsageError */
export function integerOf(what: string, text: string): number {
  if (!/^-?\d+$/.test(text)) throw new UsageError(`${what} must be an integer`)
  return Number(text)
}

/** Parses the value of `what`, which may have decimals: `12.5`. @throws UsageError */
export function decimalOf(what: string, text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new UsageError(`${what} must be a number such as 12.5`)
  return Number(text)
}

/** Parses the value of --limit, how many rows to print. @throws UsageError */
export function limitOf(text: string): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > maxRows) throw new UsageError(`option --limit: a number from 1 to ${maxRows}`)
  return count
}

const maxRows = 1_000_000

/** The parts of an option that takes lists, each separated by commas. */
export const partsOf = (lists: readonly string[]): string[] =>
  lists
    .flatMap((list) => list.split(","))
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** The allowed values, from a hint such as `bash|zsh|fish`. Empty when any value is allowed. */
export const choicesOf = ({ valueHint }: ArgDef): readonly string[] =>
  valueHint?.includes("|") ? valueHint.split("|") : []

/** A lone dash means standard input, and a dash before a digit a negative number. */
const isOption = (arg: string): boolean => /^-[^\d]/s.test(arg)

/** Adds the option to `options`, and removes its value from `rest` if it is there. */
function parseOption(arg: string, rest: string[], definition: ArgsDef, options: Map<string, Value>) {
  const [given, name, def] = optionOf(arg, definition)
  const before = options.get(name)
  if (before !== undefined && !takesList(def)) throw new UsageError(`option ${given} is given twice`)
  const inline = arg.startsWith("--") && arg.includes("=") ? arg.slice(arg.indexOf("=") + 1) : undefined
  if (def.type === "boolean") {
    if (inline !== undefined) throw new UsageError(`option ${given} takes no value`)
    options.set(name, true)
    return
  }
  const next = rest[0]
  const value = inline ?? (next === undefined || isOption(next) ? "" : rest.shift())
  if (!value) throw new UsageError(`option ${given} needs a value`)
  checkChoice(`option ${given}`, value, def)
  options.set(name, takesList(def) ? [...(Array.isArray(before) ? before : []), value] : value)
}

function optionOf(arg: string, definition: ArgsDef): [given: string, name: string, def: ArgDef] {
  const isLong = arg.startsWith("--")
  const given = isLong ? arg.replace(/=.*/s, "") : arg
  const bare = given.replace(/^--?/, "")
  for (const [name, def] of Object.entries(definition)) {
    const isKnown = isLong ? name === bare : "alias" in def && def.alias === bare
    if (isKnown && def.type !== "positional") return [given, name, def]
  }
  const shown = isLong ? given : given.slice(0, 2)
  const names = Object.keys(definition).filter((name) => definition[name]?.type !== "positional")
  const nearest = isLong ? nearestNames(bare, [...names, "help"]).map((name) => `--${name}`) : []
  const hint = didYouMean(nearest) || "; put an argument that begins with a dash after --"
  throw new UsageError(`unknown option ${shown}${hint}`)
}

const isNeeded = ({ type, required }: ArgDef): boolean =>
  type === "positional" ? required !== false : required === true

/** An argument or option in a message. */
const shown = ([name, { type, valueHint }]: [string, ArgDef]): string =>
  type === "positional" ? name.toUpperCase() : `--${name} ${valueHint ?? ""}`

/** The positional arguments by name. Optional ones come last. */
function named(given: readonly string[], definition: ArgsDef): Record<string, string> {
  const expected = Object.entries(definition).filter(([, { type }]) => type === "positional")
  const names = expected.map(([name]) => name.toUpperCase())
  if (given.length > names.length)
    throw new UsageError(names.length === 0 ? "no arguments expected" : `too many arguments: only ${names.join(" ")}`)
  return Object.fromEntries(
    expected.slice(0, given.length).map(([name, def], index) => {
      const value = given[index] ?? ""
      checkChoice(name.toUpperCase(), value, def)
      checkId(name.toUpperCase(), value, def)
      if ("isPath" in def && value === "") throw new UsageError(`${name.toUpperCase()} is empty; name a file`)
      return [name, value]
    }),
  )
}

function defaultsOf(definition: ArgsDef): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(definition).flatMap(([name, def]): [string, Value][] => {
      if (takesList(def)) return [[name, []]]
      return typeof def.default === "string" ? [[name, def.default]] : []
    }),
  )
}

function checkChoice(what: string, value: string, def: ArgDef) {
  const choices = choicesOf(def)
  if (choices.length > 0 && !choices.includes(value)) throw new UsageError(`${what}: one of ${choices.join(", ")}`)
}

function checkId(what: string, value: string, def: ArgDef) {
  if ("idOf" in def && !/^\d{1,15}$/.test(value)) throw new UsageError(`${what} must be the id of ${def.idOf}`)
}
