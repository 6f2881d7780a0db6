import { accessSync, constants, statSync } from "node:fs"
import { dirname } from "node:path"
import { bad, type Finding, orOk } from "./finding.ts"

/** Absolute paths. What is missing is no finding: it is created when it is needed. */
export interface Files {
  /** What only this user, and perhaps a group, may read. */
  readonly secret: readonly string[]
  /** The database first, then what stands beside it while it is open. */
  readonly database: readonly string[]
  /** What else is written. */
  readonly written: readonly string[]
  /** Folders in which files are created, besides those of the above. */
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
  const all = new Set([...[main, ...written].map((path) => dirname(path)), ...folders])
  return orOk(
    [
      ...[...secret, ...database].flatMap(unlessPrivate),
      ...[...database, ...written].flatMap((path) => unlessUsable(path, path, constants.R_OK | constants.W_OK)),
      ...[...all].flatMap((path) => unlessUsable(path, `the folder ${path}`, constants.W_OK | constants.X_OK)),
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
    return [bad("files", `${shown} cannot be written`, "see that it belongs to this user")]
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
