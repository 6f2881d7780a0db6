import { closeSync, fsyncSync, openSync, rmSync } from "node:fs"
import { systemCodeOf, writeProblemOf } from "../system-errors.ts"
import { writeAll } from "../write-all.ts"
import { Refusal } from "./failures.ts"

/**
 * Writes a file for its owner alone, whole or not at all, never over another. `shown` is how messages name it.
 * @throws Refusal when there is one already, or none can be written there
 */
export function writeNew(path: string, shown: string, text: string) {
  const handle = openNew(path, shown)
  try {
    writeAll(handle, text)
    fsyncSync(handle)
  } catch (error) {
    rmSync(path) // half a file would stand in the way of the next try
    throw error
  } finally {
    closeSync(handle)
  }
}

/** The same for what comes piece by piece. */
export async function writePieces(path: string, shown: string, pieces: AsyncIterable<string>): Promise<void> {
  const handle = openNew(path, shown)
  try {
    for await (const piece of pieces) writeAll(handle, piece)
    fsyncSync(handle)
  } catch (error) {
    rmSync(path)
    throw error
  } finally {
    closeSync(handle)
  }
}

function openNew(path: string, shown: string): number {
  try {
    return openSync(path, "wx", 0o600)
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") throw new Refusal(`${shown} exists already and is left as it is`)
    throw new Refusal(`cannot write ${shown}: ${writeProblemOf(error, path)}`)
  }
}
