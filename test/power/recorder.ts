import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Environment } from "../support/executable.ts"
import { compileLibrary } from "../support/preloaded.ts"
import type { Fact } from "./facts.ts"
import { type Entry, entriesOf, recordOf } from "./log.ts"

/** Compiles recorder.c into `folder`. */
export async function buildRecorder(folder: string): Promise<string> {
  const library = join(folder, "recorder.so")
  await compileLibrary(join(import.meta.dir, "recorder.c"), library)
  return library
}

export interface Recording extends Disposable {
  /** Variables for the programs that use the database. */
  readonly env: Environment
  /** Adds what a client knows, after everything that has happened until now. */
  add(fact: Fact): void
  /** The next sync of this file fails, whichever program calls it; then syncs work again. */
  failOnce(file: string): void
  entries(): Entry[]
}

interface RecordingOptions {
  readonly library: string
  readonly database: string
  readonly log: string
  /** A sync takes up to this much longer. */
  readonly syncUs: number
}

export function openRecording({ library, database, log, syncUs }: RecordingOptions): Recording {
  const file = openSync(log, "a", 0o600)
  const failing = `${log}.failing`
  return {
    env: {
      LD_PRELOAD: library,
      RECORDER_PATH: database,
      RECORDER_LOG: log,
      RECORDER_SYNC_US: String(syncUs),
      RECORDER_FAILING: failing,
    },
    add: (fact) => void writeSync(file, recordOf(fact)),
    failOnce(file) {
      writeFileSync(`${failing}.new`, file)
      renameSync(`${failing}.new`, failing)
    },
    entries: () => entriesOf(readFileSync(log), dirname(database)),
    [Symbol.dispose]: () => closeSync(file),
  }
}
