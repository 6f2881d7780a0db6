import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { silent } from "../storage/files.ts"
import { done, operator, refused } from "./operator.ts"

const nine = () => Date.UTC(2026, 0, 5, 9)

/** A database where Ana has fifteen points, and a backup where she has ten. */
async function operatorWithBackup() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])
  await operates.types(["backup", "backup.db"])
  await operates.types(["transaction", "ana", "5"])
  return operates
}

test("a backup is restored, and what it replaced is named", async () => {
  await using operates = await operatorWithBackup()
  const { database } = operates

  expect(await operates.types(["restore", "backup.db"], { now: nine })).toEqual({
    ...done(`Restored ${database} with 1 transaction`),
    stderr: `The replaced database is kept as ${database}.replaced-20260105T090000Z\n`,
  })

  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: -10 -> -11", "ana: 10 -> 11"))
})

test("--json tells the same", async () => {
  await using operates = await operatorWithBackup()

  const { stdout } = await operates.types(["restore", "backup.db", "--json"], { now: nine })

  expect(JSON.parse(stdout)).toEqual({ transactions: 1, replaced: `${operates.database}.replaced-20260105T090000Z` })
})

test("--end-sessions ends what was open when the backup was made", async () => {
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

test("while somebody has the database open, and from what is no backup, it is refused with the cure", async () => {
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

test("a damaged database is replaced too", async () => {
  await using operates = await operatorWithBackup()
  writeFileSync(operates.database, "x".repeat(10_000))

  expect(await operates.types(["restore", "backup.db"])).toMatchObject({ status: 0 })
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: -10 -> -11", "ana: 10 -> 11"))
})
