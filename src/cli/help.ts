import { type ArgDef, renderUsage } from "citty"
import { description, name as tool, version } from "../../package.json"
import { type Entry, entries } from "../config/settings.ts"
import { defaultOf, meaningOf } from "../config/template.ts"
import { choicesOf } from "./support/arguments.ts"
import { type Command, command } from "./support/command.ts"

/** A line of a list of commands: a command, or a noun that several commands share. */
export interface Line {
  readonly name: string
  readonly description: string
}

/** A list of commands under headings, one line each. `name` is what all of them begin with. */
export function usage(name: string, lists: Readonly<Record<string, readonly Line[]>>, colour: boolean): string {
  const width = Math.max(...Object.values(lists).flatMap((lines) => lines.map((line) => line.name.length)))
  const sections = Object.entries(lists).map(([title, lines]) => [
    heading(title),
    "",
    ...lines.map((line) => `  ${cyan(line.name.padEnd(width))}    ${line.description}`),
    "",
  ])
  const text = [
    `${description} (${tool} v${version})`,
    "",
    `${heading("Usage")} ${cyan(`${name} COMMAND [OPTIONS] [ARGUMENTS]`)}`,
    "",
    ...sections.flat(),
    `${cyan(`${name} COMMAND --help`)} shows what a command takes, with an example.`,
  ]
  return cleaned(text.join("\n"), colour)
}

const heading = (text: string): string => `\u001b[1;4m${text.toUpperCase()}\u001b[0m`

const cyan = (text: string): string => `\u001b[36m${text}\u001b[0m`

/** The help of one command, with an example. */
export async function usageOf(command: Command, colour: boolean): Promise<string> {
  const text = await renderUsage(definition(command), { meta: { name: tool, version } })
  return cleaned(`${text}\nEXAMPLE\n\n  ${command.example}`, colour)
}

const helpArg = { type: "boolean", alias: "h", description: "Print this help" } as const

const definition = ({ name, description, args }: Command) => ({
  meta: { name, description },
  args: {
    ...Object.fromEntries(Object.entries(args).map(([arg, def]) => [arg, withShortHint(arg, def)])),
    help: helpArg,
  },
})

/** A list of choices longer than this would push the descriptions of all options out of the terminal. */
const maxHintLength = 40

const hintOf = (arg: string, { valueHint = "VALUE" }: ArgDef): string =>
  valueHint.length > maxHintLength ? arg.toUpperCase() : valueHint

/** Moves a long list of choices into the description. */
function withShortHint(arg: string, def: ArgDef): ArgDef {
  if (def.type === "boolean" || (def.valueHint ?? "").length <= maxHintLength) return def
  return { ...def, valueHint: hintOf(arg, def), description: `${def.description}: ${choicesOf(def).join(", ")}` }
}

/** Removes the colours that citty writes even without a terminal, and trailing spaces. */
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
  value: def.type === "boolean" ? null : hintOf(name, def),
  choices: choicesOf(def),
})

const positional = ([name, def]: [string, ArgDef]): DescribedPositional => ({
  name: name.toUpperCase(),
  description: def.description ?? "",
  isRequired: def.required !== false,
  choices: choicesOf(def),
})

/** Prints the manual page, derived from the commands and the settings. */
export const manual = (commands: () => readonly Command[]) =>
  command({
    name: "manual",
    description: "Print the manual page",
    example: "rewards manual | man -l -",
    args: {},
    run: (_, { print }) => print(manualPage(commands().map(described))),
  })

/** The manual page in roff, with the macros of man(7). It has no date, so that one version always prints the same page. */
const manualPage = (commands: readonly Described[]): string =>
  [
    `.TH ${tool.toUpperCase()} 1 "" "${tool} ${version}" "User Commands"`,
    ".SH NAME",
    `${tool} \\- ${escaped(description)}`,
    ".SH SYNOPSIS",
    `.B ${tool}`,
    "\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]",
    ".SH DESCRIPTION",
    "A recognition\\-points server for a team: HTTP API, live stream, password reset by e\\-mail, command line and an",
    "embedded SQLite database in one executable.",
    "Results go to standard output, messages to standard error.",
    "The commands also work while a server runs.",
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ".SH SETTINGS",
    "Built\\-in defaults, the file, the environment, options; later ones win.",
    "A variable whose name ends in _FILE holds the path of a file with the value; lists are comma\\-separated.",
    ...entries.flatMap(settingLines),
    ".SH FILES",
    ...item(
      "\\fIrewards.toml\\fR",
      "The settings, in the working directory unless \\fB\\-\\-config\\fR names another file.",
    ),
    ...item("\\fIrewards.db\\fR", "The database, with \\-wal and \\-shm beside it while it is open."),
    ".SH EXIT STATUS",
    ...item("0", "Done."),
    ...item("1", "Refused or failed."),
    ...item("2", "Wrong usage."),
  ].join("\n")

function commandLines({ words, description, example, positionals, options }: Described): string[] {
  const usage = [...positionals.map(shownPositional), ...(options.length > 0 ? ["[\\fIOPTIONS\\fR]"] : [])]
  return [
    `.SS ${tool} ${[...words, ...usage].join(" ")}`,
    `${escaped(description)}.`,
    ...positionals.flatMap((one) => item(`\\fI${one.name}\\fR`, sentence(one.description, one.choices))),
    ...options.flatMap((one) => item(shownOption(one), sentence(one.description, one.choices))),
    ".PP",
    "For example:",
    ".PP",
    ".EX",
    escaped(example),
    ".EE",
  ]
}

const shownPositional = ({ name, isRequired }: DescribedPositional): string =>
  isRequired ? `\\fI${name}\\fR` : `[\\fI${name}\\fR]`

function shownOption({ name, alias, value }: DescribedOption): string {
  const names = [...(alias === null ? [] : [`-${alias}`]), `--${name}`].map((one) => `\\fB${escaped(one)}\\fR`)
  return names.join(", ") + (value === null ? "" : ` \\fI${escaped(value)}\\fR`)
}

const sentence = (text: string, choices: readonly string[]): string =>
  `${escaped(text)}${choices.length === 0 ? "" : `: ${escaped(choices.join(", "))}`}.`

const settingLines = (entry: Entry): string[] =>
  item(
    `\\fB${escaped(entry.path)}\\fR (${escaped(defaultOf(entry))})`,
    `${escaped(meaningOf(entry))}`,
    ".br",
    `Environment: ${escaped(entry.variable)}`,
  )

const item = (tag: string, ...text: readonly string[]): string[] => [".TP", tag, ...text]

/** Escapes roff requests, and hyphens so that they can be searched and copied. */
const escaped = (text: string): string =>
  text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^[.']/gm, "\\&$&")

/** Prints the version of this executable and of its Bun runtime. */
export const versionCommand = command({
  name: "version",
  description: "Print the version",
  example: "rewards version",
  args: {},
  run: (_, { print }) => print(`${tool} ${version} (Bun ${Bun.version})`),
})
