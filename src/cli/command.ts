import { type ArgsDef, type ParsedArgs, parseArgs } from "citty"
import type { SettingInForce } from "../config/load.ts"
import { loadConfig, settingsInForce } from "../config/load.ts"
import type { Config, SecretlessConfig } from "../config/settings.ts"
import type { Flags } from "../config/sources.ts"
import { checkedArguments, listsIn } from "./arguments.ts"
import type { Surroundings } from "./surroundings.ts"

/** One command of the tool (contract, "Command-line tool"). */
export interface Command {
  readonly name: string
  /** One line without full stop. */
  readonly description: string
  /** A whole command line. */
  readonly example: string
  readonly args: ArgsDef
  /** @throws UsageError and what the command itself throws */
  run(rawArgs: readonly string[], around: Surroundings): Promise<void>
}

/** What was given for each argument; an option that takes a list is empty when it was not given. */
type Given<T extends ArgsDef> = {
  readonly [K in keyof T]: T[K] extends { readonly repeats: true } ? readonly string[] : ParsedArgs<T>[K]
}

interface Definition<T extends ArgsDef> extends Omit<Command, "run"> {
  readonly args: T
  run(args: Given<T>, around: Surroundings): Promise<void>
}

export function command<const T extends ArgsDef>(definition: Definition<T>): Command {
  const { args, run } = definition
  return {
    ...definition,
    async run(rawArgs, around) {
      const checked = checkedArguments(rawArgs, args)
      const given = { ...parseArgs<T>(checked, args), ...listsIn(checked, args) } as Given<T>
      await run(given, around)
    },
  }
}

/** For every command that opens the database. */
export const fileArgs = {
  config: { type: "string", valueHint: "FILE", description: "Settings; without it rewards.toml, if there is one" },
  db: { type: "string", valueHint: "FILE", description: "The database, instead of the setting db.path" },
} as const satisfies ArgsDef

export const jsonArg = {
  json: { type: "boolean", description: "Print JSON instead of text" },
} as const satisfies ArgsDef

export type FileArgs = Given<typeof fileArgs>

/** @throws ConfigError */
export const configWithSecret = (around: Surroundings, args: FileArgs, flags: Flags = {}): Config =>
  loadConfig({ ...sources(around, args, flags), needsSecret: true })

/** For commands that sign nothing. @throws ConfigError */
export const configOf = (around: Surroundings, args: FileArgs): SecretlessConfig =>
  loadConfig({ ...sources(around, args, {}), needsSecret: false })

/** Every setting with where its value comes from. @throws ConfigError */
export const settingsOf = (around: Surroundings, args: FileArgs): readonly SettingInForce[] =>
  settingsInForce(sources(around, args, {}))

const sources = ({ cwd, env, underTest }: Surroundings, { config, db }: FileArgs, flags: Flags) => ({
  cwd,
  env,
  underTest,
  configPath: config ?? null,
  flags: { "db.path": db, ...flags },
})
