import { existsSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { bad, type Finding, ok, warn } from "./finding.ts"

const megabyte = 1_000_000
const leastShare = 0.05

/** Room on the disk of the database (an absolute path), as /readyz asks for it. */
export async function checkDisk(database: string, floorMb: number): Promise<Finding> {
  const folder = existing(dirname(database))
  const { bavail, blocks, bsize } = await statfs(folder)
  const freeMb = Math.floor((bavail * bsize) / megabyte)
  const message = `${freeMb} MB free at ${folder}`
  const cure = "free some, or move the database (db.path)"
  if (freeMb < floorMb) return bad("disk", message, cure)
  return bavail / blocks < leastShare ? warn("disk", message, cure) : ok("disk", message)
}

/** The folder itself is created with the database. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)))
