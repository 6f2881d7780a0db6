import type { Environment } from "../../config/sources.ts"
import type { Clock } from "../../domain/model.ts"

/** The process as a command sees it. src/main.ts passes the real one, tests pass their own. */
export interface CommandContext {
  readonly cwd: string
  readonly env: Environment
  /** A test run, which may hash passwords cheaply. */
  readonly underTest: boolean
  readonly pid: number
  /** The command that starts this program: the executable, and the arguments before those of the user. */
  readonly program: readonly string[]
  /** The operating system's name of the user who runs the command. */
  readonly user: string
  readonly now: Clock
  /** Standard output is a terminal, and NO_COLOR is not set. */
  readonly colour: boolean
  /** Standard output is a terminal: control characters must not reach it. */
  readonly stdoutIsTerminal: boolean
  /** Standard input is a terminal: the command can ask questions. */
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
