import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { problemOf, systemCodeOf } from "../support/system-errors.ts"
import { type Entry, entries, type SettingPath, settings } from "./settings.ts"

/** A value as a source gives it, not yet checked. */
export interface GivenValue {
  readonly entry: Entry
  readonly source: string
  readonly value: unknown
  /** As it was given; absent for a value of the file that is no text. */
  readonly text?: string
}

export interface Fault {
  /** "section.key", or only the section; null when the whole source is unusable. */
  readonly path: string | null
  readonly source: string
  /** What is expected. It never quotes the given value. */
  readonly expected: string
}

export type Environment = Readonly<Record<string, string | undefined>>
export type Flags = { readonly [P in SettingPath]?: string | undefined }

/** A setting under the name that a source gives it. `read` may open a file. */
interface NamedSetting {
  readonly entry: Entry
  readonly name: string
  readonly source: string
  readonly read: () => GivenValue | Fault
}

/** The TOML file. It may be missing unless --config names it. */
export function fromFile(cwd: string, configPath: string | null): (GivenValue | Fault)[] {
  const source = printable(configPath ?? "rewards.toml")
  const file = readText(resolve(cwd, configPath ?? "rewards.toml"))
  if ("problem" in file && file.code === "ENOENT" && configPath === null) return []
  if ("problem" in file) return [{ path: null, source, expected: `a file that can be read: ${file.problem}` }]
  const toml = parseToml(file.text)
  if ("problem" in toml) return [{ path: null, source, expected: `TOML; ${toml.problem}` }]
  return withoutDuplicates(Object.entries(toml.table).flatMap(([section, table]) => fromTable(section, table, source)))
}

/** Variables named REWARDS_SECTION__KEY, or nearly so; all others belong to other programs. */
export function fromEnvironment(cwd: string, env: Environment): (GivenValue | Fault)[] {
  return withoutDuplicates(
    Object.entries(env).flatMap(([name, text]) => {
      if (!name.startsWith(prefix) || text === undefined || isServiceLink(name, text)) return []
      const [, section, key] = /^(.+?)__(.*)$/s.exec(name.slice(prefix.length)) ?? []
      return section === undefined || key === undefined
        ? misspelled(name)
        : [fromVariable(cwd, name, section, key, text)]
    }),
  )
}

const prefix = "REWARDS_"

/** Whether Kubernetes set this variable: it adds REWARDS_PORT, REWARDS_PORT_8000_TCP, REWARDS_SERVICE_HOST and
 *  REWARDS_SERVICE_PORT_HTTP to every container when there is a service whose name begins with `rewards`. */
const isServiceLink = (name: string, text: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$/.test(name) ||
  /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(text))

/**
 * A name without `__`. It is reported if it differs from a setting's only in underscores, or is the key of a security setting
 * without its section, such as REWARDS_SECRET_KEY, because the setting would be ignored silently. Any other name may belong to
 * a program that uses this server, such as REWARDS_TOKEN.
 */
function misspelled(name: string): Fault[] {
  const bare = (text: string) => text.toUpperCase().replaceAll("_", "")
  const variables = entries.flatMap((entry) =>
    ["", "_FILE"].map((end) => ({ entry, variable: entry.variable + end, ofKey: `${prefix}${entry.key}${end}` })),
  )
  const named =
    variables.find(({ variable }) => bare(variable) === bare(name)) ??
    variables.find(({ entry, ofKey }) => ofKey.toUpperCase() === name.toUpperCase() && entry.section === "security")
  if (named === undefined) return []
  const source = `environment ${printable(name)}`
  return [{ path: named.entry.path, source, expected: `the name ${named.variable}, with two underscores` }]
}

export function fromFlags(flags: Flags): (GivenValue | Fault)[] {
  const given = new Map(Object.entries(flags))
  return entries.flatMap((entry) => {
    const text = given.get(entry.path)
    return text === undefined ? [] : [fromText(entry, `flag ${entry.flag}`, text)]
  })
}

function fromTable(section: string, table: unknown, source: string): (NamedSetting | Fault)[] {
  const refusal = (expected: string): Fault => ({ path: printable(section), source, expected })
  if (keysOf(section).length === 0) return [refusal(noSuchSection)]
  if (!isTable(table)) return [refusal(`a section, written [${section.toLowerCase()}]`)]
  return Object.entries(table).map(([key, value]) => {
    const entry = find(section, key)
    if (entry === undefined) return unknownKey(section, key, source)
    return { entry, name: `${section}.${key}`, source, read: () => ({ entry, source, value }) }
  })
}

function fromVariable(cwd: string, name: string, section: string, key: string, text: string): NamedSetting | Fault {
  const source = `environment ${printable(name)}`
  const entry = find(section, key)
  if (entry !== undefined) return { entry, name, source, read: () => fromText(entry, source, text) }
  const filed = /_FILE$/i.test(key) ? find(section, key.slice(0, -"_FILE".length)) : undefined
  if (filed !== undefined) return { entry: filed, name, source, read: () => fromNamedFile(filed, source, cwd, text) }
  return unknownKey(section, key, source)
}

function fromNamedFile(entry: Entry, source: string, cwd: string, path: string): GivenValue | Fault {
  const file = path === "" ? { problem: "its name is empty" } : readText(resolve(cwd, path))
  if ("text" in file) return fromText(entry, `${source} (${printable(path)})`, file.text.replace(/\r?\n$/, ""))
  // The variable may hold the secret itself by mistake, so a secret's path is not shown.
  const shown = entry.setting.secret ? source : `${source} (${printable(path)})`
  return { path: entry.path, source: shown, expected: `a file that can be read: ${file.problem}` }
}

function fromText(entry: Entry, source: string, text: string): GivenValue {
  return { entry, source, value: entry.setting.kind.fromText(text), text }
}

/** Reads the values. A source may give each setting only once, however its name is spelt. */
function withoutDuplicates(names: readonly (NamedSetting | Fault)[]): (GivenValue | Fault)[] {
  const first = new Map<Entry, NamedSetting>()
  return names.map((one) => {
    if ("expected" in one) return one
    const other = first.get(one.entry)
    if (other === undefined) {
      first.set(one.entry, one)
      return one.read()
    }
    const expected = `one value; ${printable(other.name)} and ${printable(one.name)} both give one`
    return { path: one.entry.path, source: one.source, expected }
  })
}

const noSuchSection = `one of the sections ${Object.keys(settings).join(", ")}`

function unknownKey(section: string, key: string, source: string): Fault {
  const keys = keysOf(section)
  const expected = keys.length === 0 ? noSuchSection : `one of the keys ${keys.join(", ")}`
  return { path: printable(`${section}.${key}`.toLowerCase()), source, expected }
}

function find(section: string, key: string): Entry | undefined {
  const path = `${section}.${key}`.toLowerCase()
  return entries.find((entry) => entry.path === path)
}

function keysOf(section: string): string[] {
  return entries.filter((entry) => entry.section === section.toLowerCase()).map(({ key }) => key)
}

/** Refuses text that is not UTF-8: decoding it leniently could make two different secrets equal. */
function readText(path: string): { readonly text: string } | { readonly code: string; readonly problem: string } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)) }
  } catch (error) {
    // An unknown error's message may quote the path, which may be a secret by mistake.
    return { code: systemCodeOf(error), problem: problemOf(error, "it cannot be used as a file") }
  }
}

/** Keeps messages short and on one line, because names come from outside. */
function printable(name: string): string {
  return name.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "?").slice(0, 200)
}

type Table = Readonly<Record<string, unknown>>

/**
 * Bun's TOML errors have no position and quote the text at fault, which may be a secret. So the message is cut before
 * anything quoted, and the line is found by parsing ever longer beginnings of the file.
 */
function parseToml(text: string): { readonly table: Table } | { readonly problem: string } {
  try {
    return { table: Bun.TOML.parse(text) as Table }
  } catch (error) {
    const lines = text.split("\n")
    const index = faultyLine(lines)
    if (index === null) return { problem: `it is not${reason(error)}` }
    return { problem: `line ${index + 1} is not${sameSection(lines, index) ?? reason(error)}` }
  }
}

/** A section or an inline table. Bun returns dates as objects, too. */
function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

const maxLinesToSearch = 1000

/** The index of the faulty line; null when the file is too long to search. */
function faultyLine(lines: readonly string[]): number | null {
  if (lines.length > maxLinesToSearch) return null
  return lines.findLastIndex((_, index) => parses(lines.slice(0, index + 1).join("\n"))) + 1
}

/**
 * Says where a section that appears twice first begins. TOML allows it only once, and `rewards init` writes every
 * section.
 */
function sameSection(lines: readonly string[], index: number): string | null {
  const nameOf = (line = "") => /^\s*\[\s*(\w+)\s*\]/.exec(line)?.[1]
  const name = nameOf(lines[index])
  const first = name === undefined ? -1 : lines.findIndex((line) => nameOf(line) === name)
  return first === -1 || first === index
    ? null
    : `: [${name}] begins on line ${first + 1} already; put the settings there`
}

function parses(text: string): boolean {
  try {
    Bun.TOML.parse(text)
    return true
  } catch {
    return false
  }
}

function reason(error: unknown): string {
  const words =
    error instanceof Error ? /^TOML Parse error: ((?:[\w ;,/]|'[=[\]{},.]')+)/.exec(error.message)?.[1] : null
  return words ? `: ${words.replace(/( but found)? *$/, "")}` : ""
}
