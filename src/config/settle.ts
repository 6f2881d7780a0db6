import type { SecretlessConfig } from "../config.ts"
import { brokenRules } from "./rules.ts"
import { entries } from "./settings.ts"
import type { Fault, Given } from "./sources.ts"

/** A setting with the value in force. */
export interface Settled {
  /** "section.key" */
  readonly path: string
  readonly value: unknown
  /** Where the value comes from, in words; "not set" when there is none. */
  readonly source: string
}

export interface Outcome {
  readonly config: SecretlessConfig
  /** Every setting, in the order of the table. */
  readonly settled: readonly Settled[]
  /** Values that do not fit, wherever they stand. */
  readonly faults: readonly Fault[]
  /** Values that do not go together. */
  readonly conflicts: readonly Fault[]
}

interface Options {
  readonly underTest: boolean
  readonly needsSecret: boolean
}

/** What everything that was given comes to: the last value of each setting, and every fault of any. */
export function settle(found: readonly (Given | Fault)[], { underTest, needsSecret }: Options): Outcome {
  const faults: Fault[] = []
  const values = new Map<string, Settled>(entries.map(({ path, setting }) => [path, byDefault(path, setting.default)]))
  for (const one of found) {
    const checked = "entry" in one ? check(one, underTest) : one
    if ("expected" in checked) faults.push(checked)
    else values.set(checked.path, checked)
  }

  const config = assemble(values)
  const conflicts = brokenRules(config, needsSecret)
    // A setting that has a fault of its own, or whose file could not be read, says nothing about the others.
    .filter(({ about }) => !faults.some(({ path }) => path === null || about.some((one) => one === path)))
    .map(({ about, expected }) => ({ path: about[0], source: values.get(about[0])?.source ?? "", expected }))
  return { config, settled: [...values.values()], faults, conflicts }
}

function byDefault(path: string, value: unknown): Settled {
  return { path, value, source: value === null ? "not set" : "built-in default" }
}

function check({ entry: { path, setting }, source, value }: Given, underTest: boolean): Settled | Fault {
  const fitting = setting.kind.check(value, underTest)
  return fitting === undefined ? { path, source, expected: setting.kind.expected } : { path, source, value: fitting }
}

/** The table gives the type: every entry's value passed the check of its kind. */
function assemble(values: ReadonlyMap<string, Settled>): SecretlessConfig {
  const sections = Object.groupBy(entries, ({ section }) => section)
  const config = Object.entries(sections).map(([section, inside = []]) => {
    const keys = inside.map(({ key, path }) => [key, Object.freeze(values.get(path)?.value)])
    return [section, Object.freeze(Object.fromEntries(keys))]
  })
  return Object.freeze(Object.fromEntries(config)) as SecretlessConfig
}
