import { Database } from "bun:sqlite"
import { join } from "node:path"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { createLog } from "../../src/support/log.ts"
import { readLedger } from "../durability/ledger.ts"
import { temporaryFolder } from "../support/executable.ts"
import type { Image } from "./disk.ts"
import type { Knowledge, Stored } from "./knowledge.ts"

/** Large enough for the checks of a start to be complete. */
const verifyMb = 1000

/** Opens what a power cut has left as a start does. Returns what is wrong with it, and what clients know and it lacks. */
export async function faultsOf({ files }: Pick<Image, "files">, knowledge: Knowledge): Promise<string[]> {
  await using folder = await temporaryFolder()
  for (const [name, content] of files) await Bun.write(join(folder.path, name), content)
  const path = join(folder.path, "rewards.db")
  try {
    const store = await openStore({ path, verifyMb, log: createLog(() => {}) })
    await store.close()
  } catch (error) {
    return [`the start is refused: ${error}`]
  }
  const { faults, ...stored } = read(path)
  return [...faults, ...knowledge.missingFrom(stored)]
}

/** What is in the database, and the contradictions in it. */
export function read(path: string): Stored & { readonly faults: readonly string[] } {
  const { transactions, faults } = readLedger(path)
  using client = new Database(path, { readonly: true })
  const bios = client
    .query<{ username: string; bio: string }, []>("SELECT username, bio FROM users WHERE bio <> ''")
    .all()
  return {
    transactions,
    faults,
    counters: Object.fromEntries(bios.map(({ username, bio }) => [username, Number(bio)])),
  }
}
