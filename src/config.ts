import { brokenRules } from "./config/rules.ts"
import type { Value } from "./config/setting.ts"
import { entries, type settings } from "./config/settings.ts"
import {
  type Environment,
  type Fault,
  type Flags,
  fromEnvironment,
  fromFile,
  fromFlags,
  type Given,
} from "./config/sources.ts"

type Settings = typeof settings

/** Every setting with its value, deeply frozen; sections and keys are those of the file. */
export type Config = { readonly [S in keyof Settings]: { readonly [K in keyof Settings[S]]: Value<Settings[S][K]> } }

/** For commands that sign nothing: the secret may be missing. */
export type SecretlessConfig = Omit<Config, "security"> & {
  readonly security: Omit<Config["security"], "secret_key"> & { readonly secret_key: string | null }
}

export interface ConfigSources {
  /** The folder of rewards.toml; relative paths of `_FILE` variables and of --config begin here. */
  readonly cwd: string
  /** What --config says. Null: rewards.toml, which may be missing. */
  readonly configPath: string | null
  readonly env: Environment
  readonly flags: Flags
  /** A test run, which may hash passwords cheaply. */
  readonly underTest: boolean
}

/** Why the configuration cannot be used: one line a fault, `section.key (source): what was expected`. */
export class ConfigError extends Error {
  override readonly name = "ConfigError"

  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(line).join("\n"))
  }
}

/**
 * Built-in defaults, the file, the environment, flags: later ones win. Reads rewards.toml and the files that
 * `_FILE` variables name, nothing else.
 * @throws ConfigError with every fault of every source, also of values that a later source overrides; never a value.
 */
export function loadConfig(sources: ConfigSources & { readonly needsSecret: true }): Config
export function loadConfig(sources: ConfigSources & { readonly needsSecret: boolean }): SecretlessConfig
export function loadConfig(sources: ConfigSources & { readonly needsSecret: boolean }): SecretlessConfig {
  const { cwd, configPath, env, flags, underTest, needsSecret } = sources
  const faults: Fault[] = []
  const values = new Map<string, Settled>(entries.map(({ path, setting }) => [path, byDefault(path, setting.default)]))

  for (const found of [...fromFile(cwd, configPath), ...fromEnvironment(cwd, env), ...fromFlags(flags)]) {
    const checked = "entry" in found ? check(found, underTest) : found
    if ("expected" in checked) faults.push(checked)
    else values.set(checked.path, checked)
  }

  const config = assemble(values)
  for (const { about, expected } of brokenRules(config, needsSecret)) {
    // A setting that has a fault of its own, or whose file could not be read, says nothing about the others.
    const known = !faults.some(({ path }) => path === null || about.some((one) => one === path))
    if (known) faults.push({ path: about[0], source: values.get(about[0])?.source ?? "", expected })
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

interface Settled {
  readonly path: string
  readonly value: unknown
  readonly source: string
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

function line({ path, source, expected }: Fault): string {
  return path === null ? `${source}: expected ${expected}` : `${path} (${source}): expected ${expected}`
}
