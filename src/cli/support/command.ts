import type { ArgsDef, ParsedArgs } from "citty"
import { loadConfig, type SettingInForce, settingsInForce } from "../../config/load.ts"
import type { Config, SecretlessConfig } from "../../config/settings.ts"
import type { Environment, Flags } from "../../config/sources.ts"
import type { Clock } from "../../domain/clock.ts"
import { databaseName } from "../../storage/open.ts"
import { flag, option, parseArguments } from "./arguments.ts"
import { Refusal } from "./failures.ts"

/**
 * One command of the tool (docs/interface/command-line.md). Arguments are defined as for citty, which renders the
 * help.
 */
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
    // Safe, because `parseArguments` checks the values against the definition that the type comes from.
    run: async (rawArgs, context) => run(parseArguments(rawArgs, args) as Arguments<T>, context),
  }
}

/** The options of every command that opens the database. */
export const fileArgs = {
  config: option("FILE", "Settings file; the default is rewards.toml, if present"),
  db: option("FILE", "Database file, instead of the settings db.path and db.url"),
} as const satisfies ArgsDef

/**
 * Adds the options --config and --db of this command line to the commands that a message quotes: without them these
 * would work on another database. `serve` is quoted as what runs; `copy` and `reset-db` may be about the other database
 * of a copy, which these options do not name.
 */
export function withFileOptions(message: string, args: FileArgs): string {
  const options = (["config", "db"] as const)
    .map((name) => (args[name] === undefined ? "" : ` --${name} ${shellWord(args[name])}`))
    .join("")
  return message.replace(
    /((?:(?<=start it with )`rewards serve|`rewards (?!serve\b|copy\b|reset-db\b|init\b)[^`]*))`/g,
    (_, quoted) => `${quoted}${options}\``,
  )
}

const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

export const jsonArg = {
  json: flag("Print JSON instead of text"),
} as const satisfies ArgsDef

export type FileArgs = Arguments<typeof fileArgs>

/** @throws ConfigError */
export const configWithSecret = (context: CommandContext, args: FileArgs, flags: Flags = {}): Config =>
  withFile(args, loadConfig({ ...sources(context, args, flags), needsSecret: true }))

/** The configuration for commands that sign no token. @throws ConfigError */
export const configOf = (context: CommandContext, args: FileArgs): SecretlessConfig =>
  withFile(args, loadConfig({ ...sources(context, args, {}), needsSecret: false }))

/**
 * The path in db.path, for commands that work on a database file. `instead` says what to do with PostgreSQL.
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

/** The file of --db takes precedence over a database that the settings name. */
const withFile = <C extends SecretlessConfig>({ db }: FileArgs, config: C): C =>
  db === undefined ? config : { ...config, db: { ...config.db, url: null } }

const sources = ({ cwd, env, underTest }: CommandContext, { config, db }: FileArgs, flags: Flags) => ({
  cwd,
  env,
  underTest,
  configPath: config ?? null,
  flags: { "db.path": db, ...flags },
})

/** The process as a command sees it. src/main.ts passes the real one, tests pass their own. */
export interface CommandContext {
  readonly cwd: string
  readonly env: Environment
  /** Set in a test run, which may hash passwords cheaply. */
  readonly underTest: boolean
  readonly pid: number
  /** The command that starts this program: the executable, and the arguments before those of the user. */
  readonly program: readonly string[]
  /** The operating system's name of the user who runs the command. */
  readonly user: string
  readonly now: Clock
  /** Standard output is a terminal, and NO_COLOR is not set. */
  readonly colour: boolean
  /** Standard output is a terminal, so control characters must not reach it. */
  readonly stdoutIsTerminal: boolean
  /** Standard input is a terminal, so the command can ask questions. */
  readonly stdinIsTerminal: boolean
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
  /** Prints a result and a line end to standard output. @throws EPIPE when the reader has gone */
  print(text: string): Promise<void>
  /** Writes text to standard output as it is. @throws EPIPE when the reader has gone */
  write(text: string): Promise<void>
  /** Writes the contents of a file to standard output. @throws EPIPE when the reader has gone */
  writeFile(path: string): Promise<void>
  /** Prints a message and a line end to standard error. */
  printError(text: string): void
  /** Lowers the priority of this process from now on. */
  lowerPriority(): void
  /** Handles SIGTERM and SIGINT from now on: resolves with the first one; a second one ends the process. */
  stopSignal(): Promise<string>
  /** Ends the process immediately. */
  exit(status: number): never
}

/** The name of a user id in the text of /etc/passwd; null when it is not listed. */
export const userNameOf = (passwd: string, uid: number): string | null =>
  passwd
    .split("\n")
    .map((line) => line.split(":"))
    .find(([, , id]) => id === `${uid}`)?.[0] ?? null
