import { closeSync, openSync, readSync, writeSync } from "node:fs"
import { constants } from "node:os"
import { join } from "node:path"
import type { Environment } from "../support/executable.ts"
import { compileLibrary } from "../support/preloaded.ts"

export interface Fault {
  readonly kind: "write" | "sync" | "open"
  readonly error: "EIO" | "ENOSPC" | "EROFS"
  /** Which call of this kind fails, counted from 1 once the fault is set. */
  readonly first: number
  /** Whether all calls fail from the first one on, until the disk is mended. */
  readonly lasting: boolean
  /** Whether half of a failing write reaches the file. */
  readonly torn: boolean
}

/** The disk of a database, which fails on demand. */
export interface Disk extends Disposable {
  /** Variables for the program that uses the disk. */
  readonly env: Environment
  fail(fault: Fault): void
  mend(): void
  /** From now on each sync takes this much longer. */
  slow(ms: number): void
  /** Sets the clock of the program this far ahead of the machine's. */
  setClock(aheadMs: number): void
  /** How many calls failed since `fail`, when the first of them did, in ms since the epoch, and how many pages were then written back. */
  failures(): { readonly count: number; readonly sinceMs: number; readonly writtenBack: number }
}

export type Shim = Awaited<ReturnType<typeof buildShim>>

const kinds = { write: 1n, sync: 2n, open: 3n }
/** `slow` and `setClock` have two of their own. */
const words = 11

/** Compiles faults.c with the system's C compiler into `folder`. `cc` names another one.
 *  @throws Error that names what this machine lacks */
export async function buildShim(folder: string, cc?: string) {
  const library = join(folder, "faults.so")
  await compileLibrary(join(import.meta.dir, "faults.c"), library, cc)

  return {
    /** A disk for the files whose names begin with `database`; `control` is the file that controls it. */
    disk(database: string, control: string): Disk {
      const file = openSync(control, "w+", 0o600)
      const write = (values: readonly bigint[]) =>
        void writeSync(file, BigInt64Array.from(values), 0, values.length * 8, 0)
      write(Array(words).fill(0n))
      return {
        env: { LD_PRELOAD: library, FAULTS_CONTROL: control, FAULTS_PATH: database },
        fail({ kind, error, first, lasting, torn }) {
          write([0n, kinds[kind], BigInt(first), BigInt(lasting), BigInt(torn), 0n, 0n, 0n])
          writeSync(file, BigInt64Array.of(0n), 0, 8, 80)
          // Written last, because the program reads it first.
          writeSync(file, BigInt64Array.of(BigInt(constants.errno[error])), 0, 8, 0)
        },
        slow: (ms) => void writeSync(file, BigInt64Array.of(BigInt(ms * 1000)), 0, 8, 64),
        setClock: (aheadMs) => void writeSync(file, BigInt64Array.of(BigInt(aheadMs * 1000)), 0, 8, 72),
        mend: () => void writeSync(file, BigInt64Array.of(0n), 0, 8, 0),
        failures() {
          const values = new BigInt64Array(words)
          readSync(file, values, 0, words * 8, 0)
          return { count: Number(values[6]), sinceMs: Number(values[7]) / 1000, writtenBack: Number(values[10]) }
        },
        [Symbol.dispose]: () => closeSync(file),
      }
    },
  }
}
