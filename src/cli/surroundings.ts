import type { Environment } from "../config/sources.ts"
import type { Clock } from "../domain/model.ts"

/** What a command sees of the process around it. main.ts gives the real one, tests their own. */
export interface Surroundings {
  readonly cwd: string
  readonly env: Environment
  /** A test run, which may hash passwords cheaply. */
  readonly underTest: boolean
  readonly pid: number
  /** How to start this program once more: the executable, and what goes before its arguments. */
  readonly program: readonly string[]
  /** Who runs it, by the name that the system knows. */
  readonly user: string
  readonly now: Clock
  /** Standard output is a terminal, and colour is not unwanted. */
  readonly colour: boolean
  /** Standard output is a terminal: what is written must not drive it. */
  readonly writesToTerminal: boolean
  /** Standard input is a terminal: somebody can be asked. */
  readonly isTerminal: boolean
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
  /** Writes a line, or several, to standard output: results. @throws EPIPE when nobody reads any more. */
  print(text: string): Promise<void>
  /** Writes a piece of a result as it is, likewise. */
  put(text: string): Promise<void>
  /** Writes the bytes of a file to standard output. @throws EPIPE when nobody reads any more. */
  pour(path: string): Promise<void>
  /** Lets others have the processors first, from now on. */
  stepBack(): void
  /** Writes a line, or several, to standard error: messages. */
  tell(text: string): void
  /** From now on signals are asked, not obeyed: resolves with the first SIGTERM or SIGINT; a second ends the process. */
  stopSignal(): Promise<string>
  /** Ends the process now. */
  exit(status: number): never
}
