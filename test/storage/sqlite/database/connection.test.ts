import { describe, expect, test } from "bun:test"
import { copyFileSync, statSync } from "node:fs"
import type { Tx } from "../../../../src/storage/database.ts"
import { raw } from "../../../../src/storage/sql.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { createLog } from "../../../../src/support/log.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"
import { change, codeThrownBy, connect, plainly, silent, testFolder } from "../../files.ts"

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe("an opened database", () => {
  test("syncs in the commit, checks foreign keys, and leaves checkpoints to the writer", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))

    const pragmas = ["journal_mode", "synchronous", "fullfsync", "foreign_keys", "wal_autocheckpoint"]
    const found = await connection.database.write((tx) =>
      Promise.all(pragmas.map((name) => tx.first(raw(`PRAGMA ${name}`)))),
    )
    expect(Object.assign({}, ...found)).toEqual({
      journal_mode: "wal",
      synchronous: 2,
      fullfsync: 1,
      foreign_keys: 1,
      wal_autocheckpoint: 0,
    })
    expect(await refusalOf(connection.database.all(raw("DELETE FROM users RETURNING id")))).toMatchObject({
      code: "SQLITE_READONLY",
    })
  })

  test("is readable by its owner only, and so are the files that SQLite puts beside it", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using connection = await connect(path)
    await change(connection, "UPDATE ledger_state SET last_date = 1")

    expect([path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual(["600", "600", "600"])
  })
})

describe("a write", () => {
  test("holds the write lock from the start", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using connection = await connect(path)
    using other = plainly(path)

    const inside = await connection.database.write(async (tx) => {
      await tx.flush()
      await tx.first(raw("SELECT 1"))
      return codeThrownBy(() => other.run("BEGIN IMMEDIATE"))
    })

    expect(inside).toBe("SQLITE_BUSY")
    expect(codeThrownBy(() => other.run("BEGIN IMMEDIATE"))).toBe("nothing thrown")
  })

  test("is not visible to others before it returns", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await using connection = await connect(path)
    using other = plainly(path)
    const seen = () => other.query<{ last_date: number }, []>("SELECT last_date FROM ledger_state").get()?.last_date

    const inside = await connection.database.write(async (tx) => {
      await tx.run(raw("UPDATE ledger_state SET last_date = 7"))
      return seen()
    })

    expect([inside, seen()]).toEqual([0, 7])
  })

  test("is rolled back completely if its work throws, and the next one works", async () => {
    await using folder = await testFolder()
    const failures: unknown[] = []
    await using connection = await connect(folder.file("rewards.db"), { failures })
    const dateOf = () => connection.database.first(raw("SELECT last_date FROM ledger_state"))

    const work = async (tx: Tx) => {
      await tx.run(raw("UPDATE ledger_state SET last_date = 7"))
      throw new Error("changed my mind")
    }
    await expect(connection.database.write(work)).rejects.toThrow("changed my mind")
    expect(await dateOf()).toEqual({ last_date: 0 })

    await change(connection, "UPDATE ledger_state SET last_date = 8")
    expect(await dateOf()).toEqual({ last_date: 8 })
    expect(failures).toEqual([])
  })

  test("works after one that SQLite itself has rolled back", async () => {
    await using folder = await testFolder()
    await using connection = await connect(folder.file("rewards.db"))
    await expect(change(connection, "UPDATE OR ROLLBACK ledger_state SET id = 2")).rejects.toThrow("CHECK")
    await change(connection, "UPDATE ledger_state SET last_date = 8")

    expect(await connection.database.first(raw("SELECT last_date FROM ledger_state"))).toEqual({ last_date: 8 })
  })
})

describe("a closed store", () => {
  test("has written everything back, so that its one file is the whole database", async () => {
    await using folder = await testFolder()
    const store = await openStore({ path: folder.file("rewards.db"), log: silent })
    const { ana, bruno } = await threePeople(store)
    await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
    await store.close()

    copyFileSync(folder.file("rewards.db"), folder.file("copy.db"))
    const copy = await openStore({ path: folder.file("copy.db"), log: silent })
    const balances = (await copy.users.list()).map(({ balance }) => balance)
    await copy.close()

    expect(balances).toEqual([-5, 5, 0])
  })

  test("has released the file, so that another process can have it exclusively", async () => {
    await using folder = await testFolder()
    const store = await openStore({ path: folder.file("rewards.db"), log: silent })
    await threePeople(store)
    await store.ledger.page({ page: 1, size: 10 })
    await store.close()

    using other = plainly(folder.file("rewards.db"))

    // SQLite refuses this switch while anybody else has the file open.
    expect(codeThrownBy(() => other.run("PRAGMA journal_mode = DELETE"))).toBe("nothing thrown")
  })

  test("can be closed again, and logs nothing", async () => {
    await using folder = await testFolder()
    let logged = ""
    const log = createLog((text) => {
      logged += text
    })
    const store = await openStore({ path: folder.file("rewards.db"), log })

    await store.close()
    await store.close()

    log.flush()
    expect(logged).toBe("")
  })

  test("does not affect others that have the file open", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    const [store, other] = [await openStore({ path, log: silent }), await openStore({ path, log: silent })]
    const { ana, bruno } = await threePeople(store)
    await store.close()

    await other.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)

    expect(await other.users.balanceOf(bruno.id)).toBe(5)
    await other.close()
  })
})
