import { expect, test } from "bun:test"
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { verifyFile } from "../../src/storage/sqlite/maintenance/verify.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { silent } from "../storage/files.ts"
import { secret } from "../support/executable.ts"
import { startFalseS3 } from "../support/false-s3.ts"
import { startS3 } from "../support/s3.ts"
import { done, doneAnchored, type Operator, operator, refused } from "./operator.ts"
import { withPoints } from "./operator-with-points.ts"

const nine = () => Date.UTC(2026, 0, 5, 9)
const sound = { transactions: 1, findings: [] }
const inspected = (path: string) => verifyFile({ path, accepts: false })

/** A database with Ana, who has ten points. */
const sizeOf = (file: string) => `${(statSync(file).size / 1e6).toFixed(1)} MB`
const namesIn = ({ folder }: Operator) => readdirSync(folder).filter((name) => !/^\.?rewards\.db/.test(name))

test("a backup is written to the given path, relative to the working directory", async () => {
  await using operates = await withPoints(await operator())
  const file = `${operates.folder}/mine.db`

  expect(await operates.types(["backup", "mine.db"])).toEqual(
    doneAnchored(`Wrote ${file}: 1 transaction, ${sizeOf(file)}, verified`),
  )
  expect(await inspected(file)).toEqual(sound)
})

test("without a path a backup goes into the backups folder beside the database, named by its time", async () => {
  await using operates = await withPoints(await operator())
  const file = `${operates.folder}/backups/rewards-20260105T090000Z.db`

  const { status, stdout } = await operates.types(["backup", "--json"], { now: nine })

  expect({ status, made: JSON.parse(stdout) }).toEqual({
    status: 0,
    made: {
      file,
      transactions: 1,
      bytes: statSync(file).size,
      newest: expect.stringMatching(/^1:[0-9a-f]{64}$/),
    },
  })
  expect(statSync(`${operates.folder}/backups`).mode & 0o777).toBe(0o700)
  expect(await inspected(file)).toEqual(sound)
})

test("backup.dir names another folder for backups", async () => {
  await using operates = await withPoints(await operator())
  const env = { REWARDS_BACKUP__DIR: `${operates.folder}/far/away` }

  expect(await operates.types(["backup"], { now: nine, env })).toMatchObject({ status: 0, stderr: "" })

  expect(await inspected(`${operates.folder}/far/away/rewards-20260105T090000Z.db`)).toEqual(sound)
})

test("a backup that cannot be written is refused with the cure and leaves no file", async () => {
  await using operates = await withPoints(await operator())
  mkdirSync(`${operates.folder}/taken.db`)

  expect(await operates.types(["backup", "none/mine.db"])).toEqual(
    refused(
      `cannot write the backup ${operates.folder}/none/mine.db: there is no folder ${operates.folder}/none; create it first`,
    ),
  )
  expect(await operates.types(["backup", "taken.db"])).toEqual(
    refused(`cannot write the backup ${operates.folder}/taken.db: it is not a file; name another one`),
  )
  expect(await operates.types(["backup", "mine.db", "--db", "none.db"])).toEqual(
    refused("cannot use the database none.db: there is no such file"),
  )
  expect(namesIn(operates)).toEqual(["taken.db"])
})

test("a backup to the name of an earlier one replaces it, as the help says", async () => {
  await using operates = await withPoints(await operator())
  const file = `${operates.folder}/nightly.db`
  await operates.types(["backup", "nightly.db"])
  await operates.types(["transaction", "ana", "5"])

  expect(await operates.types(["backup", "nightly.db"])).toEqual(
    doneAnchored(`Wrote ${file}: 2 transactions, ${sizeOf(file)}, verified`),
  )
  expect((await operates.types(["backup", "--help"])).stdout).toContain(
    "an earlier backup is replaced once this one is",
  )
})

/** A database where Ana has fifteen points, and a backup where she has ten. */
async function operatorWithBackup() {
  const operates = await withPoints(await operator())
  await operates.types(["backup", "backup.db"])
  await operates.types(["transaction", "ana", "5"])
  return operates
}

test("restore replaces the database and says where the replaced one is kept", async () => {
  await using operates = await operatorWithBackup()
  const { database } = operates

  expect(await operates.types(["restore", "backup.db"], { now: nine })).toEqual({
    ...done(`Restored ${database} with 1 transaction`),
    stderr: `The replaced database is kept as ${database}.replaced-20260105T090000Z\n`,
  })

  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: -10 -> -11", "ana: 10 -> 11"))
})

test("restore --json prints the same as JSON", async () => {
  await using operates = await operatorWithBackup()

  const { stdout } = await operates.types(["restore", "backup.db", "--json"], { now: nine })

  expect(JSON.parse(stdout)).toEqual({ transactions: 1, replaced: `${operates.database}.replaced-20260105T090000Z` })
})

test("restore --end-sessions ends the sessions that were open when the backup was made", async () => {
  await using operates = await operatorWithBackup()
  const { database } = operates
  const withStore = async <T>(act: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> => {
    const store = await openStore({ path: database, log: silent })
    try {
      return await act(store)
    } finally {
      await store.close()
    }
  }
  await withStore(({ sessions }) =>
    sessions.open({ idHash: "a", username: "ana", expiresAt: 9e12, openedAt: null, address: null }, null),
  )
  await operates.types(["backup", "backup.db"])

  expect(await operates.types(["restore", "backup.db", "--end-sessions"])).toMatchObject({ status: 0 })

  expect(await withStore(({ sessions }) => sessions.find("a", 1))).toBeNull()
})

test("restore is refused with the cure for a file that is no backup, and while another process has the database open", async () => {
  await using operates = await operatorWithBackup()
  const { database, folder } = operates
  writeFileSync(`${folder}/letter.db`, "Dear Ana, these are no points.\n".repeat(100))

  expect(await operates.types(["restore", "letter.db"])).toEqual(
    refused(`cannot restore ${folder}/letter.db: it is damaged, or no database; name another backup`),
  )
  const store = await openStore({ path: database, log: silent })
  expect(await operates.types(["restore", "backup.db"])).toEqual(
    refused(
      `cannot use the database ${database}: another process has it open; ` +
        "stop `rewards serve` and every other rewards command",
    ),
  )
  await store.close()
})

test("restore replaces a damaged database too", async () => {
  await using operates = await operatorWithBackup()
  writeFileSync(operates.database, "x".repeat(10_000))

  expect(await operates.types(["restore", "backup.db"])).toMatchObject({ status: 0 })
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: -10 -> -11", "ana: 10 -> 11"))
})

test("without a bucket, what needs one says which settings to set", async () => {
  await using operates = await withPoints(await operator())
  const cure =
    "no bucket is set; set backup.s3_bucket, backup.s3_access_key and backup.s3_secret_key, or backup.s3_credentials_command"

  for (const args of [
    ["backup", "--to", "s3"],
    ["backup", "list"],
    ["restore", "s3:latest"],
  ])
    expect(await operates.types(args)).toEqual(refused(cure))
})

test("--to takes s3 only, and no standard output", async () => {
  await using operates = await withPoints(await operator())

  expect(await operates.types(["backup", "--to", "ftp"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("--to takes s3 only"),
  })
  expect(await operates.types(["backup", "-", "--to", "s3"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("--to s3 needs a file, not standard output"),
  })
})

test("only a backup that is named by its time is uploaded", async () => {
  await using s3 = await startS3()
  await using operates = await withPoints(await operator())
  await operates.types(["backup", "mine.db"])
  const types = (...args: readonly string[]) => operates.types(args, { now: nine, env: s3.env })

  expect(await types("backup", "upload", "mine.db")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("the name of the file must end with its time, as in rewards-20260105T090000Z.db"),
  })
  expect((await types("backup", "upload", "none-20260105T090000Z.db")).stderr).toContain("none-20260105T090000Z.db")
  await types("backup")
  const upload = ["backup", "upload", "backups/rewards-20260105T090000Z.db"] as const
  expect((await types(...upload)).stdout).toMatch(
    /^Copied to the bucket as rewards-20260105T090000Z\.db\.zst: 0\.\d MB, read back and compared\n$/,
  )
  expect((await types(...upload)).stdout).toBe("The bucket has rewards-20260105T090000Z.db.zst already\n")
  expect(JSON.parse((await types("backup", "list", "--json")).stdout)).toEqual([
    {
      name: "rewards-20260105T090000Z.db.zst",
      at: "2026-01-05T09:00:00.000Z",
      bytes: expect.any(Number),
      encrypted: false,
    },
  ])
})

/** Variables of a command that uses this bucket. */
const envOf = ({ endpoint }: { readonly endpoint: string }) => ({
  REWARDS_BACKUP__S3_ENDPOINT: endpoint,
  REWARDS_BACKUP__S3_BUCKET: "backups",
  REWARDS_BACKUP__S3_ACCESS_KEY: "S3RVER",
  REWARDS_BACKUP__S3_SECRET_KEY: "S3RVER",
  REWARDS_SECURITY__SECRET_KEY: secret,
})

test("whoever copies to a bucket without a passphrase learns who can read the copy", async () => {
  await using s3 = startFalseS3()
  await using operates = await withPoints(await operator())
  const types = (args: readonly string[], more = {}) =>
    operates.types(args, { now: nine, env: { ...envOf(s3), ...more } })
  const warning = "It is not encrypted: whoever can read the bucket can read it; set backup.passphrase\n"

  expect((await types(["backup", "--to", "s3"])).stderr).toBe(warning)
  expect((await types(["backup", "upload", "backups/rewards-20260105T090000Z.db"])).stderr).toBe(warning)
  expect((await types(["doctor"])).stdout).toContain(
    "backup.passphrase: whoever can read the bucket can read the backups in it, because they are not encrypted",
  )
  const encrypted = { REWARDS_BACKUP__PASSPHRASE: "seven brown foxes" }
  expect((await types(["backup", "--to", "s3"], encrypted)).stderr).toBe("")
})

test("with a passphrase a copy that is not encrypted is restored with --unencrypted alone", async () => {
  await using s3 = startFalseS3()
  await using operates = await withPoints(await operator())
  const env = envOf(s3)
  await operates.types(["backup", "--to", "s3"], { now: nine, env })
  const types = (...args: readonly string[]) =>
    operates.types(args, { env: { ...env, REWARDS_BACKUP__PASSPHRASE: "seven brown foxes" } })
  const name = "s3:rewards-20260105T090000Z.db.zst"

  expect((await types("restore", "s3:latest")).stderr).toContain("has no backup that is encrypted")
  expect((await types("restore", name)).stderr).toContain("anybody who can write to the bucket may have made it")
  expect(await types("restore", name, "--unencrypted")).toMatchObject({ status: 0 })
  expect((await types("doctor")).stdout).toContain("has no encrypted backup yet")
})

test("a copy without its checksum is listed as such", async () => {
  await using s3 = startFalseS3()
  await using operates = await withPoints(await operator())
  const types = (...args: readonly string[]) => operates.types(args, { now: nine, env: envOf(s3) })
  await types("backup", "--to", "s3")
  s3.objects.set("rewards-20260104T090000Z.db.zst", { content: new Uint8Array(9), storedAt: nine() })

  expect((await types("backup", "list")).stdout).toMatch(
    /^name .* checksum\n\S+0105T\S+ .* yes\n\S+0104T\S+ .* missing\n$/,
  )
  expect(JSON.parse((await types("backup", "list", "--json")).stdout)).toMatchObject([
    { name: "rewards-20260105T090000Z.db.zst" },
    { name: "rewards-20260104T090000Z.db.zst", checksum: false },
  ])
})
