import { accessSync, constants, existsSync, statSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

/** Absolute paths. A file that is missing is no finding: it is created when it is needed. */
export interface Files {
  /** What only this user, and perhaps a group, may read. */
  readonly secret: readonly string[]
  /** The database first, then what stands beside it while it is open. */
  readonly database: readonly string[]
  /** What else is written, in folders that must exist. */
  readonly written: readonly string[]
  /** Folders that the server creates where they are missing, besides the database's. */
  readonly folders: readonly string[]
}

/** What the system says of a path. */
export interface FileSystem {
  /** Null when there is nothing. */
  readonly statOf: (path: string) => { readonly mode: number; readonly uid: number } | null
  readonly mayUse: (path: string, mode: number) => boolean
}

/** Secrets that others may read, and files that this user may not write. */
export function checkFiles(
  { secret, database, written, folders }: Files,
  system: FileSystem = realSystem,
): readonly Finding[] {
  const { statOf, mayUse } = system
  const [main = ""] = database
  const created = new Set([dirname(main), ...folders])
  const needed = new Set(written.map((path) => dirname(path)).filter((path) => !created.has(path)))
  return orOk(
    [
      ...[...secret, ...database].flatMap(unlessPrivate),
      ...[...database, ...written].flatMap((path) => unlessUsable(path, path, constants.R_OK | constants.W_OK)),
      ...[...created].flatMap(unlessCreatable),
      ...[...needed].flatMap(unlessFolder),
      ...database.flatMap(unlessOfOneOwner),
    ],
    "files",
    "secrets are private, and what must be written can be",
  )

  /** A group may be meant: a service reads what its administrator wrote. Windows keeps no such modes. */
  function unlessPrivate(path: string): Finding[] {
    const mode = statOf(path)?.mode ?? 0
    if ((mode & 0o007) === 0 || process.platform === "win32") return []
    return [bad("files", `everybody on this machine may use ${path}`, `chmod o= ${path}`)]
  }

  function unlessUsable(path: string, shown: string, mode: number): Finding[] {
    if (statOf(path) === null || mayUse(path, mode)) return []
    return [bad("files", `${shown} cannot be written`, "give it to this user, or choose another one")]
  }

  function unlessFolder(path: string): Finding[] {
    if (statOf(path) === null) return [bad("files", `there is no folder ${path}`, "create it and give it to this user")]
    return unlessUsable(path, `the folder ${path}`, constants.W_OK | constants.X_OK)
  }

  function unlessCreatable(path: string): Finding[] {
    if (statOf(path) !== null || !mayUse(nearestExisting(path), constants.W_OK | constants.X_OK))
      return unlessFolder(path)
    return []
  }

  function nearestExisting(path: string): string {
    return statOf(path) !== null || dirname(path) === path ? path : nearestExisting(dirname(path))
  }

  /** A command that root ran may have left files that the service's user cannot write. */
  function unlessOfOneOwner(path: string): Finding[] {
    const [stats, mainStats] = [statOf(path), statOf(main)]
    if (stats === null || mainStats === null || stats.uid === mainStats.uid) return []
    return [bad("files", `${path} belongs to another user than the database`, `chown --reference=${main} ${path}`)]
  }
}

const realSystem: FileSystem = {
  statOf: (path) => statSync(path, { throwIfNoEntry: false }) ?? null,
  mayUse(path, mode) {
    try {
      accessSync(path, mode)
      return true
    } catch {
      return false
    }
  },
}

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
