import type { Value } from "./config/setting.ts"
import type { settings } from "./config/settings.ts"
import { type Outcome, type Settled, settle } from "./config/settle.ts"
import { type Environment, type Fault, type Flags, fromEnvironment, fromFile, fromFlags } from "./config/sources.ts"

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

  constructor(
    readonly faults: readonly Fault[],
    /** What there would be without them; null where nobody asks. */
    readonly draft: SecretlessConfig | null = null,
  ) {
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
  return soundly(gathered(sources)).config
}

/** Every setting in the order of the table, with the value in force and where it comes from. @throws ConfigError */
export function settingsInForce(sources: ConfigSources): readonly Settled[] {
  return soundly(gathered({ ...sources, needsSecret: false })).settled
}

/**
 * What a new file of settings comes to that holds these values and nothing else, and the conflicts for which `serve`
 * would not start with it.
 * @throws ConfigError when a value does not fit
 */
export function draftConfig(flags: Flags) {
  const { config, settled, faults, conflicts } = settle(fromFlags(flags), { underTest: false, needsSecret: true })
  if (faults.length > 0) throw new ConfigError(faults)
  const given = new Set(Object.entries(flags).flatMap(([path, text]) => (text === undefined ? [] : [path])))
  return { config, values: settled.filter(({ path }) => given.has(path)), conflicts }
}

function gathered(sources: ConfigSources & { readonly needsSecret: boolean }): Outcome {
  const { cwd, configPath, env, flags } = sources
  return settle([...fromFile(cwd, configPath), ...fromEnvironment(cwd, env), ...fromFlags(flags)], sources)
}

function soundly(outcome: Outcome): Outcome {
  const faults = [...outcome.faults, ...outcome.conflicts]
  if (faults.length > 0) throw new ConfigError(faults, outcome.config)
  return outcome
}

function line({ path, source, expected }: Fault): string {
  return path === null ? `${source}: expected ${expected}` : `${path} (${source}): expected ${expected}`
}
