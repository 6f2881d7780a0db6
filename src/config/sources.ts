import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { problemOf, systemCodeOf } from "../system-errors.ts"
import { type Entry, entries, type SettingPath, settings } from "./settings.ts"
import { isTable, parseToml } from "./toml.ts"

/** A value that somebody gave, not yet checked. */
export interface Given {
  readonly entry: Entry
  readonly source: string
  readonly value: unknown
}

export interface Fault {
  /** "section.key", or only the section; null when the fault is the whole source's. */
  readonly path: string | null
  readonly source: string
  /** What was expected. Never what was given. */
  readonly expected: string
}

export type Environment = Readonly<Record<string, string | undefined>>
export type Flags = { readonly [P in SettingPath]?: string | undefined }

/** A name that means a setting. Reading its value may touch a file. */
interface Claim {
  readonly entry: Entry
  readonly name: string
  readonly source: string
  readonly read: () => Given | Fault
}

/** The TOML file. Only one that was asked for must exist. */
export function fromFile(cwd: string, configPath: string | null): (Given | Fault)[] {
  const source = printable(configPath ?? "rewards.toml")
  const file = readText(resolve(cwd, configPath ?? "rewards.toml"))
  if ("problem" in file && file.code === "ENOENT" && configPath === null) return []
  if ("problem" in file) return [{ path: null, source, expected: `a file that can be read: ${file.problem}` }]
  const toml = parseToml(file.text)
  if ("problem" in toml) return [{ path: null, source, expected: `TOML; ${toml.problem}` }]
  return settle(Object.entries(toml.table).flatMap(([section, table]) => fromTable(section, table, source)))
}

/** Variables that begin with REWARDS_; every other name is somebody else's. */
export function fromEnvironment(cwd: string, env: Environment): (Given | Fault)[] {
  return settle(
    Object.entries(env).flatMap(([name, text]) => {
      if (!name.startsWith(prefix) || text === undefined || isServiceLink(name, text)) return []
      const [, section, key] = /^(.+?)__(.*)$/s.exec(name.slice(prefix.length)) ?? []
      return section === undefined || key === undefined
        ? [misspelled(name)]
        : [fromVariable(cwd, name, section, key, text)]
    }),
  )
}

const prefix = "REWARDS_"

/** What Kubernetes sets in every container beside a service whose name begins with `rewards`: REWARDS_PORT and
 *  REWARDS_PORT_8000_TCP hold addresses, REWARDS_SERVICE_HOST and REWARDS_SERVICE_PORT_HTTP say the same once more. */
const isServiceLink = (name: string, text: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$/.test(name) ||
  /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(text))

/** A name without `__`, which would otherwise be ignored without a word. */
function misspelled(name: string): Fault {
  const source = `environment ${printable(name)}`
  const [intended, ...others] = settingsNamedLike(name.slice(prefix.length))
  if (intended === undefined || others.length > 0)
    return { path: printable(name.toLowerCase()), source, expected: "the name of a setting, REWARDS_SECTION__KEY" }
  return { path: intended.entry.path, source, expected: `the name ${intended.variable}, with two underscores` }
}

/** Settings whose section and key, or else whose key, are this but for the underscores. */
function settingsNamedLike(name: string) {
  const bare = (text: string) => text.toUpperCase().replaceAll("_", "")
  const names = entries.flatMap((entry) => [
    { entry, key: entry.key, variable: entry.variable },
    { entry, key: `${entry.key}_file`, variable: `${entry.variable}_FILE` },
  ])
  const whole = names.filter(({ entry, key }) => bare(entry.section + key) === bare(name))
  return whole.length > 0 ? whole : names.filter(({ key }) => bare(key) === bare(name))
}

export function fromFlags(flags: Flags): (Given | Fault)[] {
  const given = new Map(Object.entries(flags))
  return entries.flatMap((entry) => {
    const text = given.get(entry.path)
    return text === undefined ? [] : [fromText(entry, `flag ${entry.flag}`, text)]
  })
}

function fromTable(section: string, table: unknown, source: string): (Claim | Fault)[] {
  const refusal = (expected: string): Fault => ({ path: printable(section), source, expected })
  if (keysOf(section).length === 0) return [refusal(noSuchSection)]
  if (!isTable(table)) return [refusal(`a section, written [${section.toLowerCase()}]`)]
  return Object.entries(table).map(([key, value]) => {
    const entry = find(section, key)
    if (entry === undefined) return unknownKey(section, key, source)
    return { entry, name: `${section}.${key}`, source, read: () => ({ entry, source, value }) }
  })
}

function fromVariable(cwd: string, name: string, section: string, key: string, text: string): Claim | Fault {
  const source = `environment ${printable(name)}`
  const entry = find(section, key)
  if (entry !== undefined) return { entry, name, source, read: () => fromText(entry, source, text) }
  const filed = /_FILE$/i.test(key) ? find(section, key.slice(0, -"_FILE".length)) : undefined
  if (filed !== undefined) return { entry: filed, name, source, read: () => fromNamedFile(filed, source, cwd, text) }
  return unknownKey(section, key, source)
}

function fromNamedFile(entry: Entry, source: string, cwd: string, path: string): Given | Fault {
  const file = path === "" ? { problem: "its name is empty" } : readText(resolve(cwd, path))
  if ("text" in file) return fromText(entry, `${source} (${printable(path)})`, file.text.replace(/\r?\n$/, ""))
  // Somebody may have put the secret itself where its file belongs.
  const shown = entry.setting.secret ? source : `${source} (${printable(path)})`
  return { path: entry.path, source: shown, expected: `a file that can be read: ${file.problem}` }
}

function fromText(entry: Entry, source: string, text: string): Given {
  return { entry, source, value: entry.setting.kind.fromText(text) }
}

/** Within one source a setting has one value, however its name is spelt. */
function settle(claims: readonly (Claim | Fault)[]): (Given | Fault)[] {
  const first = new Map<Entry, Claim>()
  return claims.map((claim) => {
    if ("expected" in claim) return claim
    const other = first.get(claim.entry)
    if (other === undefined) {
      first.set(claim.entry, claim)
      return claim.read()
    }
    const expected = `one value; ${printable(other.name)} and ${printable(claim.name)} both give one`
    return { path: claim.entry.path, source: claim.source, expected }
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

/** Text that is not UTF-8 is no text: two different secrets could come out the same. */
function readText(path: string): { readonly text: string } | { readonly code: string; readonly problem: string } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)) }
  } catch (error) {
    // The message of an error that is not known may quote the path, and that may be a secret.
    return { code: systemCodeOf(error), problem: problemOf(error, "it cannot be used as a file") }
  }
}

/** Names come from outside, too: a line of a message stays a line. */
function printable(name: string): string {
  return name.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "?").slice(0, 200)
}
