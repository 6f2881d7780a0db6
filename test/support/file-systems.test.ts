import { expect, test } from "bun:test"
import { warnOfFileSystem } from "../../src/cli/serve.ts"
import { servedFileSystemOf } from "../../src/support/file-systems.ts"

const mounts = `23 28 0:21 / /proc rw,nosuid - proc proc rw
28 0 254:0 / / rw,relatime - ext4 /dev/vda rw
40 28 0:50 / /srv/nfs rw,relatime shared:5 - nfs4 server:/export rw,vers=4.2
41 40 0:51 / /srv/nfs/local rw,relatime - xfs /dev/vdb rw
42 28 0:52 / /mnt/my\\040share rw,relatime - cifs //server/share rw
43 28 0:53 / /mnt/ssh rw - fuse.sshfs me@host: rw
44 28 0:54 / /Users rw - virtiofs mac rw
45 28 0:55 / /mnt/c rw - 9p C: rw
46 28 0:56 / /over rw - ext4 /dev/vdc rw
47 46 0:57 / /over rw - nfs server:/x rw
48 28 0:58 / /var/lib rw - overlay overlay rw
49 28 0:59 / /mnt/ntfs rw - fuseblk /dev/sdb1 rw
`

test.each([
  ["/var/lib/rewards/rewards.db", null],
  ["/home/rewards.db", null],
  ["/srv/nfs/rewards.db", "nfs4"],
  ["/srv/nfs2/rewards.db", null],
  ["/srv/nfs/local/rewards.db", null],
  ["/mnt/my share/rewards.db", "cifs"],
  ["/mnt/ssh/rewards.db", "fuse.sshfs"],
  ["/Users/ana/rewards.db", "virtiofs"],
  ["/mnt/c/rewards.db", "9p"],
  ["/mnt/ntfs/rewards.db", "fuseblk"],
  ["/over/rewards.db", "nfs"],
])("%s is on a served file system of type %p", (path, type) => {
  expect(servedFileSystemOf(path, mounts)).toBe(type)
})

test("where the system does not tell, nothing is known", () => {
  expect(servedFileSystemOf("/srv/rewards.db", "")).toBeNull()
  expect(servedFileSystemOf("/")).toBeNull()
})

test("a start warns of a database there, with the type and the cure, and of no other", () => {
  const said: string[] = []
  const log = { warn: (text: string) => void said.push(text) }
  warnOfFileSystem("/srv/rewards.db", log, null)
  warnOfFileSystem("/srv/rewards.db", log, "nfs4")
  expect(said).toEqual([
    "the database /srv/rewards.db is on a file system of type nfs4, where locks may not hold: SQLite can lose or damage data there; " +
      "move it to a local disk (db.path), or use PostgreSQL (db.url)",
  ])
})
