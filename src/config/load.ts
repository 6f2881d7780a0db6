import { brokenRules } from "./rules.ts"
import { type Config, entries, type SecretlessConfig } from "./settings.ts"
import {
  type Environment,
  type Fault,
  type Flags,
  fromEnvironment,
  fromFile,
  fromFlags,
  type GivenValue,
} from "./sources.ts"
import { wrappingsOf } from "./wrappings.ts"

interface ConfigSources {
  /** The folder of rewards.toml; relative paths of `_FILE` variables and of --config start here. */
  readonly cwd: string
  /** The value of --config. Null: rewards.toml, which may be missing. */
  readonly configPath: string | null
  readonly env: Environment
  readonly flags: Flags
  /** Set in a test run, which may hash passwords cheaply. */
  readonly underTest: boolean
}

/** A setting with the value in force. */
export interface SettingInForce {
  /** "section.key" */
  readonly path: string
  readonly value: unknown
  /** Where the value comes from, in words; "not set" when there is none. */
  readonly source: string
}

/** The configuration cannot be used. The message has one line per fault: `section.key (source): expected ...`. */
export class ConfigError extends Error {
  override readonly name = "ConfigError"

  constructor(
    readonly faults: readonly Fault[],
    /** The configuration without the faulty values; null when no caller needs it. */
    readonly draft: SecretlessConfig | null = null,
  ) {
    super(faults.map(line).join("\n"))
  }
}

/**
 * Merges defaults, the file, the environment and flags; later ones win. Reads only rewards.toml and the files that
 * `_FILE` variables name.
 * @throws ConfigError with every fault of every source, including values that a later source overrides. It never quotes
 * a value, since that may be a secret.
 */
export function loadConfig(sources: ConfigSources & { readonly needsSecret: true }): Config
export function loadConfig(sources: ConfigSources & { readonly needsSecret: boolean }): SecretlessConfig
export function loadConfig(sources: ConfigSources & { readonly needsSecret: boolean }): SecretlessConfig {
  return refuseFaults(resolveSources(sources)).config
}

/** Every setting in the order of the table, with its value and the source of that value. @throws ConfigError */
export function settingsInForce(sources: ConfigSources): readonly SettingInForce[] {
  return refuseFaults(resolveSources({ ...sources, needsSecret: false })).inForce
}

/**
 * The configuration that a file with only these values would give, and the conflicts that would keep `serve` from
 * starting with it. For `rewards init`.
 * @throws ConfigError when a value is not valid
 */
export function draftConfig(flags: Flags) {
  const { config, inForce, faults, conflicts } = resolveValues(fromFlags(flags), {
    underTest: false,
    needsSecret: true,
  })
  if (faults.length > 0) throw new ConfigError(faults)
  const given = new Set(Object.entries(flags).flatMap(([path, text]) => (text === undefined ? [] : [path])))
  return { config, values: inForce.filter(({ path }) => given.has(path)), conflicts }
}

interface Resolution {
  readonly config: SecretlessConfig
  /** Every setting, in the order of the table. */
  readonly inForce: readonly SettingInForce[]
  /** Invalid values of any source. */
  readonly faults: readonly Fault[]
  /** Valid values that contradict each other. */
  readonly conflicts: readonly Fault[]
}

interface Options {
  readonly underTest: boolean
  readonly needsSecret: boolean
}

function resolveSources(sources: ConfigSources & { readonly needsSecret: boolean }): Resolution {
  const { cwd, configPath, env, flags } = sources
  return resolveValues([...fromFile(cwd, configPath), ...fromEnvironment(cwd, env), ...fromFlags(flags)], sources)
}

/** Uses the last valid value of each setting, and collects the faults of all values. */
function resolveValues(given: readonly (GivenValue | Fault)[], { underTest, needsSecret }: Options): Resolution {
  const faults: Fault[] = []
  const values = new Map<string, SettingInForce>(
    entries.map(({ path, setting }) => [path, defaultValue(path, setting.default)]),
  )
  for (const one of given) {
    const checked = "entry" in one ? check(one, underTest) : one
    if ("expected" in checked) faults.push(checked)
    else values.set(checked.path, checked)
  }

  const config = assemble(values)
  const conflicts = brokenRules(config, needsSecret)
    // A setting with a fault of its own, or whose file could not be read, cannot be compared with others.
    .filter(({ about }) => !faults.some(({ path }) => path === null || about.some((one) => one === path)))
    .map(({ about, expected }) => ({ path: about[0], source: values.get(about[0])?.source ?? "", expected }))
  return { config, inForce: [...values.values()], faults, conflicts }
}

function refuseFaults(resolution: Resolution): Resolution {
  const faults = [...resolution.faults, ...resolution.conflicts]
  if (faults.length > 0) throw new ConfigError(faults, resolution.config)
  return resolution
}

function defaultValue(path: string, value: unknown): SettingInForce {
  return { path, value, source: value === null ? "not set" : "built-in default" }
}

function check(
  { entry: { path, setting }, source, value, text }: GivenValue,
  underTest: boolean,
): SettingInForce | Fault {
  const valid = setting.kind.check(value, underTest)
  if (valid !== undefined) return { path, source, value: valid }
  const { expected, expectedFor } = setting.kind
  const around = wrappingsOf(text ?? (typeof value === "string" ? value : "")).map(({ without }) => `, ${without}`)
  return { path, source, expected: `${expectedFor?.(value) ?? expected}${around.join("")}` }
}

/** The cast is sound: every value passed the check of its setting's kind, and the type comes from the same table. */
function assemble(values: ReadonlyMap<string, SettingInForce>): SecretlessConfig {
  const sections = Object.groupBy(entries, ({ section }) => section)
  const config = Object.entries(sections).map(([section, inside = []]) => {
    const keys = inside.map(({ key, path }) => [key, Object.freeze(values.get(path)?.value)])
    return [section, Object.freeze(Object.fromEntries(keys))]
  })
  return Object.freeze(Object.fromEntries(config)) as SecretlessConfig
}

function line({ path, source, expected }: Fault): string {
  return path === null ? `${source}: expected ${expected}` : `${path} (${source}): expected ${expected}`
}
