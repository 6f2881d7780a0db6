import { readFileSync } from "node:fs"

/**
 * File systems that another machine or program serves. SQLite needs locks and shared memory that hold for every process; there they
 * often do not, so that a database is damaged without a word.
 */
const served =
  /^(nfs\d?|cifs|smb\d?|smbfs|fuse|fuseblk|fuse\..+|virtiofs|9p|v9fs|afs|ceph|glusterfs|lustre|gpfs|beegfs|davfs2?|vboxsf|vmhgfs|prl_fs|drvfs)$/

/** The type of such a file system, if the file or folder at this absolute path is on one; otherwise null, and outside of Linux. */
export function servedFileSystemOf(path: string, mounts: string = mountsOfThisProcess()): string | null {
  let [longest, type]: [number, string] = [-1, ""]
  for (const line of mounts.split("\n")) {
    const [mount, ofType] = line.split(" - ")
    const place = unescaped(mount?.split(" ")[4] ?? "")
    // Of two mounts at one place, the later one is seen.
    if (place !== "" && place.length >= longest && isInside(path, place))
      [longest, type] = [place.length, ofType?.split(" ")[0] ?? ""]
  }
  return served.test(type) ? type : null
}

const isInside = (path: string, place: string): boolean =>
  place === "/" || path === place || path.startsWith(`${place}/`)

/** A blank, for example, is `\040`. */
const unescaped = (text: string): string =>
  text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

function mountsOfThisProcess(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8")
  } catch {
    return "" // only Linux has it
  }
}

/** What every start and `rewards doctor` say of a database there. */
export const servedProblem = (path: string, type: string) => ({
  problem: `the database ${path} is on a file system of type ${type}, where locks may not hold: SQLite can lose or damage data there`,
  cure: "move it to a local disk (db.path), or use PostgreSQL (db.url)",
})
