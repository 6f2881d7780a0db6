import { statfsSync } from "node:fs"
import { tmpdir } from "node:os"

/**
 * The folder for the files of tests: in memory if the machine has enough of it. On a disk each commit waits for a sync,
 * and a new database of PostgreSQL, which has 300 files, takes five times as long.
 */
export function folderForFiles(): string {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize < roomForFiles ? tmpdir() : memory
  } catch {
    return tmpdir() // only Linux has /dev/shm
  }
}

const memory = "/dev/shm"
const roomForFiles = 2 ** 31
