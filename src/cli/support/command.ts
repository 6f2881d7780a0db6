import type { ArgsDef, ParsedArgs } from "citty"
import { loadConfig, type SettingInForce, settingsInForce } from "../../config/load.ts"
import type { Config, SecretlessConfig } from "../../config/settings.ts"
import type { Flags } from "../../config/sources.ts"
import { databaseName } from "../../storage/open.ts"
import { parseArguments } from "./arguments.ts"
import type { CommandContext } from "./context.ts"
import { Refusal } from "./failures.ts"

/** One command of the tool (docs/interface.md, "Command line"). Definitions are citty's, which renders the help. */
export interface Command {
  readonly name: string
  /** One line, without a full stop. */
  readonly description: string
  /** A complete command line. */
  readonly example: string
  readonly args: ArgsDef
  /** @throws UsageError, and whatever the command throws */
  run(rawArgs: readonly string[], context: CommandContext): Promise<void>
}

/** The values of the arguments; a list is empty when its option is not given. */
type Arguments<T extends ArgsDef> = {
  readonly [K in keyof T]: T[K] extends { readonly repeats: true } ? readonly string[] : ParsedArgs<T>[K]
}

interface Definition<T extends ArgsDef> extends Omit<Command, "run"> {
  readonly args: T
  run(args: Arguments<T>, context: CommandContext): Promise<void>
}

export function command<const T extends ArgsDef>(definition: Definition<T>): Command {
  const { args, run } = definition
  return {
    ...definition,
    // `parseArguments` holds the values to the definition, from which the type comes.
    run: async (rawArgs, context) => run(parseArguments(rawArgs, args) as Arguments<T>, context),
  }
}

/** For every command that opens the database. */
export const fileArgs = {
  config: { type: "string", valueHint: "FILE", description: "Settings file; the default is rewards.toml, if present" },
  db: { type: "string", valueHint: "FILE", description: "Database file, instead of the settings db.path and db.url" },
} as const satisfies ArgsDef

export const jsonArg = {
  json: { type: "boolean", description: "Print JSON instead of text" },
} as const satisfies ArgsDef

export type FileArgs = Arguments<typeof fileArgs>

/** @throws ConfigError */
export const configWithSecret = (context: CommandContext, args: FileArgs, flags: Flags = {}): Config =>
  withFile(args, loadConfig({ ...sources(context, args, flags), needsSecret: true }))

/** For commands that sign no token. @throws ConfigError */
export const configOf = (context: CommandContext, args: FileArgs): SecretlessConfig =>
  withFile(args, loadConfig({ ...sources(context, args, {}), needsSecret: false }))

/**
 * The path in db.path, for commands that work on a database file. `instead` says what does the same on PostgreSQL.
 * @throws ConfigError, Refusal
 */
export function databaseFileOf(context: CommandContext, args: FileArgs, instead: string): string {
  const { db } = configOf(context, args)
  if (db.url !== null)
    throw new Refusal(`db.url names ${databaseName(db)}, and this command works on a database file: ${instead}`)
  return db.path
}

/** Every setting with its value and the source of that value. @throws ConfigError */
export const settingsOf = (context: CommandContext, args: FileArgs): readonly SettingInForce[] =>
  settingsInForce(sources(context, args, {}))

/** A file that the command line names comes before a database that the settings name. */
const withFile = <C extends SecretlessConfig>({ db }: FileArgs, config: C): C =>
  db === undefined ? config : { ...config, db: { ...config.db, url: null } }

const sources = ({ cwd, env, underTest }: CommandContext, { config, db }: FileArgs, flags: Flags) => ({
  cwd,
  env,
  underTest,
  configPath: config ?? null,
  flags: { "db.path": db, ...flags },
})
