import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { basename, dirname, extname, join, resolve } from "node:path"
import { removeAbandoned, sortableTime } from "../sqlite/database/files.ts"

/** A backup that the schedule, or somebody without another name for it, has made. */
export interface KeptBackup {
  readonly file: string
  /** When it was begun, to the second. */
  readonly at: number
}

export type BackupFolder = ReturnType<typeof createBackupFolder>

/** The folder of one database's backups. `dir` begins beside the database. The folder is made when it is needed. */
export function createBackupFolder({ path, dir }: { readonly path: string; readonly dir: string }) {
  const folder = resolve(dirname(path), dir)
  const stem = basename(path, extname(path))

  return {
    path: folder,
    /** The name of a new one. @throws system errors, when the folder cannot be made */
    fileAt(ms: number): string {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return join(folder, `${stem}-${sortableTime(ms)}.db`)
    },
    kept,
    /**
     * Removes the oldest beyond `keep`, and what killed processes have left. Files of other names stay. One that cannot
     * be removed keeps no other; returns why, for each.
     */
    prune(keep: number, now: number): string[] {
      const old = kept().slice(0, -keep)
      const begun = names().flatMap((name) => {
        const [target = ""] = name.split(".partial-")
        return target !== name && timeIn(target) !== null ? [join(folder, target)] : []
      })
      return [
        ...old.flatMap(({ file }) => reasonAgainst(() => rmSync(file, { force: true }))),
        ...begun.flatMap((file) => reasonAgainst(() => removeAbandoned(file, now))),
      ]
    },
  }

  /** The oldest first. */
  function kept(): KeptBackup[] {
    return names().flatMap((name) => {
      const at = timeIn(name)
      return at === null ? [] : [{ file: join(folder, name), at }]
    })
  }

  function names(): string[] {
    return existsSync(folder) ? readdirSync(folder).sort() : []
  }

  function timeIn(name: string): number | null {
    const time = name.startsWith(`${stem}-`) ? name.slice(stem.length + 1) : ""
    const [, date, hour, minute, second] = /^(\d{8})T(\d\d)(\d\d)(\d\d)Z\.db$/.exec(time) ?? []
    if (date === undefined) return null
    const ms = Date.parse(`${date.replace(/(....)(..)(..)/, "$1-$2-$3")}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(ms) ? null : ms
  }
}

function reasonAgainst(act: () => void): string[] {
  try {
    act()
    return []
  } catch (error) {
    return [String(error)]
  }
}
