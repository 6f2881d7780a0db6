import { accessSync, constants, existsSync, statSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { servedFileSystemOf, servedProblem } from "../../support/file-systems.ts"
import { ownerCure, readOnlyProblemOf } from "../../support/system-errors.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

/** Absolute paths. A missing file is not reported, because it is created when needed, but its folder must exist. */
export interface Files {
  /** Files that must be readable only by this user or a group. */
  readonly secret: readonly string[]
  /** The database, then the files that exist beside it while it is open; empty with PostgreSQL. */
  readonly database: readonly string[]
  /** Other files that the server writes. */
  readonly written: readonly string[]
  /** Folders that the server creates when they are missing. */
  readonly folders: readonly string[]
}

/** Access to the file system, replaced by tests. */
export interface FileSystem {
  /** Null when it does not exist. */
  readonly statOf: (path: string) => { readonly mode: number; readonly uid: number } | null
  /** The error of this access; null when it is allowed. */
  readonly refusalOf: (path: string, mode: number) => unknown
}

/** Finds secrets that others may read, and files that this user may not write. */
export function checkFiles(
  { secret, database, written, folders }: Files,
  system: FileSystem = realSystem,
): readonly Finding[] {
  const { statOf, refusalOf } = system
  const [main = ""] = database
  const needed = new Set([...database, ...written].map((path) => dirname(path)))
  return orOk(
    [
      ...[...secret, ...database].flatMap(checkPrivate),
      ...[...database, ...written].flatMap((path) => checkUsable(path, path, constants.R_OK | constants.W_OK)),
      ...[...needed].flatMap(checkFolder),
      ...folders.flatMap(checkCreatable),
      ...database.flatMap(checkSameOwner),
    ],
    "files",
    "secrets are private, and this user can write all files",
  )

  /** Read access for a group is fine: it lets a service read files of its administrator. Windows has no such modes. */
  function checkPrivate(path: string): Finding[] {
    const mode = statOf(path)?.mode ?? 0
    if ((mode & 0o007) === 0 || process.platform === "win32") return []
    return [bad("files", `any user of this machine can access ${path}`, `chmod o= ${path}`)]
  }

  function checkUsable(path: string, shown: string, mode: number): Finding[] {
    const refusal = statOf(path) === null ? null : refusalOf(path, mode)
    if (refusal === null) return []
    const cure = readOnlyProblemOf(refusal) ?? ownerCure(path, statOf(path)?.uid)
    return [bad("files", `${shown} cannot be written`, cure)]
  }

  function checkFolder(path: string): Finding[] {
    return statOf(path) === null
      ? [noFolder(path)]
      : checkUsable(path, `the folder ${path}`, constants.W_OK | constants.X_OK)
  }

  function checkCreatable(path: string): Finding[] {
    const parent = nearestExisting(path)
    if (parent === path) return checkFolder(path)
    const refusal = refusalOf(parent, constants.W_OK | constants.X_OK)
    return refusal === null ? [] : [noFolder(path, readOnlyProblemOf(refusal))]
  }

  function nearestExisting(path: string): string {
    return statOf(path) !== null || dirname(path) === path ? path : nearestExisting(dirname(path))
  }

  /** A command run by root may have created files that the service's user cannot write. */
  function checkSameOwner(path: string): Finding[] {
    const [stats, mainStats] = [statOf(path), statOf(main)]
    if (stats === null || mainStats === null || stats.uid === mainStats.uid) return []
    return [bad("files", `${path} belongs to another user than the database`, `chown --reference=${main} ${path}`)]
  }
}

const noFolder = (path: string, cure = "create it and make this user its owner"): Finding =>
  bad("files", `there is no folder ${path}`, cure)

const realSystem: FileSystem = {
  statOf: (path) => statSync(path, { throwIfNoEntry: false }) ?? null,
  refusalOf(path, mode) {
    try {
      accessSync(path, mode)
      return null
    } catch (error) {
      return error
    }
  },
}

const megabyte = 1_000_000
const minFreeShare = 0.05

/** Whether the database is on a file system on which SQLite is safe. */
export function checkFileSystem(database: string, type: string | null = servedFileSystemOf(database)): Finding[] {
  if (type === null) return []
  const { problem, cure } = servedProblem(database, type)
  return [warn("disk", problem, cure)]
}

/** Checks the free space on the disk of the database (an absolute path), with the limit of /readyz. */
export async function checkDisk(database: string, floorMb: number): Promise<Finding> {
  const folder = existing(dirname(database))
  const { bavail, blocks, bsize } = await statfs(folder)
  const freeMb = Math.floor((bavail * bsize) / megabyte)
  const message = `${freeMb} MB free at ${folder}`
  const cure = "free some space, or move the database (db.path)"
  if (freeMb < floorMb) return bad("disk", message, cure)
  return bavail / blocks < minFreeShare ? warn("disk", message, cure) : ok("disk", message)
}

/** The nearest folder that exists, because `checkFiles` reports a missing one. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)))
