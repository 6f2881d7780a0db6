import { expect, test } from "bun:test"
import { mkdirSync, readdirSync, statSync } from "node:fs"
import { verifyFile } from "../../src/storage/sqlite/maintenance/verify.ts"
import { doneAnchored, type Operator, operator, refused } from "./operator.ts"

const nine = () => Date.UTC(2026, 0, 5, 9)
const sound = { transactions: 1, findings: [] }
const inspected = (path: string) => verifyFile({ path, accepts: false })

/** A database with Ana, who has ten points. */
async function operatorWithPoints() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])
  return operates
}

const sizeOf = (file: string) => `${(statSync(file).size / 1e6).toFixed(1)} MB`
const namesIn = ({ folder }: Operator) => readdirSync(folder).filter((name) => !/^\.?rewards\.db/.test(name))

test("a backup goes to the given path, relative to the working directory", async () => {
  await using operates = await operatorWithPoints()
  const file = `${operates.folder}/mine.db`

  expect(await operates.types(["backup", "mine.db"])).toEqual(
    doneAnchored(`Wrote ${file}: 1 transaction, ${sizeOf(file)}, verified`),
  )
  expect(inspected(file)).toEqual(sound)
})

test("without a name it goes into the folder of the backups beside the database, by its time", async () => {
  await using operates = await operatorWithPoints()
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
  expect(inspected(file)).toEqual(sound)
})

test("another folder of the backups is named by backup.dir", async () => {
  await using operates = await operatorWithPoints()
  const env = { REWARDS_BACKUP__DIR: `${operates.folder}/far/away` }

  expect(await operates.types(["backup"], { now: nine, env })).toMatchObject({ status: 0, stderr: "" })

  expect(inspected(`${operates.folder}/far/away/rewards-20260105T090000Z.db`)).toEqual(sound)
})

test("one that cannot be written is refused with the cure, and leaves nothing", async () => {
  await using operates = await operatorWithPoints()
  mkdirSync(`${operates.folder}/taken.db`)

  expect(await operates.types(["backup", "none/mine.db"])).toEqual(
    refused(
      `cannot write the backup ${operates.folder}/none/mine.db: there is no folder ${operates.folder}/none; create it first`,
    ),
  )
  expect(await operates.types(["backup", "taken.db"])).toEqual(
    refused(`cannot write the backup ${operates.folder}/taken.db: it is no file; name another`),
  )
  expect(await operates.types(["backup", "mine.db", "--db", "none.db"])).toEqual(
    refused("cannot use the database none.db: there is no such file"),
  )
  expect(namesIn(operates)).toEqual(["taken.db"])
})
