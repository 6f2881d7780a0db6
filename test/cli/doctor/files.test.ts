import { expect, test } from "bun:test"
import { chmodSync, writeFileSync } from "node:fs"
import { checkDisk, checkFileSystem, checkFiles, type FileSystem } from "../../../src/cli/doctor/files.ts"
import { temporaryFolder } from "../../support/executable.ts"

const bad = (message: string, cure: string) => ({ check: "files", verdict: "bad" as const, message, cure })
const sound = [
  {
    check: "files",
    verdict: "ok" as const,
    message: "secrets are private, and this user can write all files",
    cure: null,
  },
]

/** A secret and a database with its WAL, private until `change`. */
async function lookAfter(change: (folder: string) => void) {
  await using folder = await temporaryFolder()
  const { path } = folder
  const database = [`${path}/rewards.db`, `${path}/rewards.db-wal`]
  for (const file of [...database, `${path}/secret`]) writeFileSync(file, "", { mode: 0o600 })
  change(path)
  const found = checkFiles({
    secret: [`${path}/secret`, `${path}/none`],
    database,
    written: [`${path}/email.log`],
    folders: [`${path}/backups`],
  })
  return JSON.parse(JSON.stringify(found).replaceAll(path, "/srv"))
}

test("files that are private, shared with a group or not created yet are fine", async () => {
  expect(await lookAfter(() => {})).toEqual(sound)
  expect(await lookAfter((folder) => chmodSync(`${folder}/secret`, 0o660))).toEqual(sound)
})

test("files that everybody can read or write are reported, each with its cure", async () => {
  const found = await lookAfter((folder) => {
    chmodSync(`${folder}/secret`, 0o644)
    chmodSync(`${folder}/rewards.db-wal`, 0o602)
  })

  expect(found).toEqual([
    bad("any user of this machine can access /srv/secret", "chmod o= /srv/secret"),
    bad("any user of this machine can access /srv/rewards.db-wal", "chmod o= /srv/rewards.db-wal"),
  ])
})

const files = {
  secret: [],
  database: ["/srv/rewards.db", "/srv/rewards.db-wal"],
  written: ["/log/email.log"],
  folders: ["/backups"],
}
const soundSystem: FileSystem = { statOf: () => ({ mode: 0o600, uid: 7 }), refusalOf: () => null }

const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: "access" })

test("on a read-only file system, that is the reason why nothing can be written or created", () => {
  const statOf = (path: string) => (path === "/backups" ? null : { mode: 0o600, uid: 7 })
  const refusalOf = () => systemError("EROFS")
  const cure = "the file system is read-only; choose a path on another one"

  expect(checkFiles(files, { statOf, refusalOf })).toEqual([
    bad("/srv/rewards.db cannot be written", cure),
    bad("/srv/rewards.db-wal cannot be written", cure),
    bad("/log/email.log cannot be written", cure),
    bad("the folder /srv cannot be written", cure),
    bad("the folder /log cannot be written", cure),
    bad("there is no folder /backups", cure),
  ])
})

test("files and folders that this user cannot write are reported, each folder once", () => {
  const refusalOf = (path: string) =>
    ["/srv", "/srv/rewards.db-wal", "/log/email.log", "/backups"].includes(path) ? systemError("EACCES") : null
  const own = process.getuid?.()
  const cure = (path: string) =>
    `it belongs to user id 7, and this process runs as ${own}: run \`chown -R ${own} ${path}\` as root, or this program as user id 7`

  expect(checkFiles(files, { ...soundSystem, refusalOf })).toEqual([
    bad("/srv/rewards.db-wal cannot be written", cure("/srv/rewards.db-wal")),
    bad("/log/email.log cannot be written", cure("/log/email.log")),
    bad("the folder /srv cannot be written", cure("/srv")),
    bad("the folder /backups cannot be written", cure("/backups")),
  ])
})

test("a missing folder is reported unless the server can create it", () => {
  const stats = { mode: 0o700, uid: 7 }
  const only = (paths: readonly string[]) => (path: string) => (paths.includes(path) ? stats : null)
  const cure = "create it and make this user its owner"

  expect(checkFiles(files, { statOf: only(["/"]), refusalOf: () => systemError("EACCES") })).toEqual([
    bad("there is no folder /srv", cure),
    bad("there is no folder /log", cure),
    bad("there is no folder /backups", cure),
  ])
  expect(checkFiles(files, { statOf: only(["/", "/log"]), refusalOf: () => null })).toEqual([
    bad("there is no folder /srv", cure),
  ])
  expect(checkFiles(files, { statOf: only(["/", "/log", "/srv"]), refusalOf: () => null })).toEqual(sound)
})

test("a file beside the database that belongs to another user is reported", () => {
  const statOf = (path: string) => ({ mode: 0o600, uid: path.endsWith("-wal") ? 0 : 7 })

  expect(checkFiles(files, { ...soundSystem, statOf })).toEqual([
    bad(
      "/srv/rewards.db-wal belongs to another user than the database",
      "chown --reference=/srv/rewards.db /srv/rewards.db-wal",
    ),
  ])
})

test("enough free disk space is fine, even if the folder does not exist yet; too little is bad", async () => {
  await using folder = await temporaryFolder()
  const database = `${folder.path}/new/folder/rewards.db`
  const message = expect.stringMatching(new RegExp(`^\\d+ MB free at ${folder.path}$`))

  expect(await checkDisk(database, 0)).toMatchObject({ check: "disk", message })
  expect(await checkDisk(database, 0)).not.toMatchObject({ verdict: "bad" })
  expect(await checkDisk(database, 1_000_000_000)).toEqual({
    check: "disk",
    verdict: "bad",
    message,
    cure: "free some space, or move the database (db.path)",
  })
})

test("a database on a file system that another machine or program serves is reported with its type", () => {
  expect(checkFileSystem("/srv/rewards.db", null)).toEqual([])
  expect(checkFileSystem("/srv/rewards.db", "nfs4")).toEqual([
    {
      check: "disk",
      verdict: "warn",
      message:
        "the database /srv/rewards.db is on a file system of type nfs4, where locks may not hold: SQLite can lose or damage data there",
      cure: "move it to a local disk (db.path), or use PostgreSQL (db.url)",
    },
  ])
})
