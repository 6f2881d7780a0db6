import type { Database } from "bun:sqlite"
import { existsSync, renameSync } from "node:fs"
import { writeProblemOf } from "../../../support/system-errors.ts"
import { type CopySource, type CopyTarget, unfinishedCopy } from "../../copy/copy.ts"
import { lastKeyOf, readerOf } from "../../copy/reader.ts"
import { tablesWithSequence } from "../../copy/tables.ts"
import { countPairs, writerOf } from "../../copy/writer.ts"
import type { Tx } from "../../database.ts"
import { isUnfinishedCopyOf } from "../../migrations.ts"
import { DatabaseUnusable, notUpToDate } from "../../open-store.ts"
import { sql } from "../../sql.ts"
import { openClient, openExclusively, refuseForeign } from "../database/client.ts"
import { readsOn, senderOn } from "../database/database.ts"
import { asUnusable } from "../database/errors.ts"
import { createPrivateFile, syncFile, syncFolderOf } from "../database/files.ts"
import { lockExclusive } from "../database/lock.ts"
import { appliedTo, migrate, migrations, missingFrom } from "../database/migrations.ts"
import { faults } from "./verify.ts"
import { type FoundWatermark, readWatermark, refuseMissing } from "./watermark.ts"

/** Reads a database file that no other process has open. @throws DatabaseUnusable */
export async function usingSource<T>(path: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  if (!existsSync(path)) throw new DatabaseUnusable("there is no such file")
  refuseForeign(path)
  const lock = lockExclusive(path)
  try {
    const client = openClient(path, { create: false })
    try {
      if (missingFrom(client).length > 0) throw notUpToDate("copy")
      return await work(readerOn(client, readWatermark(path)))
    } finally {
      client.close()
    }
  } catch (error) {
    throw asUnusable(error, path)
  } finally {
    lock.release()
  }
}

/**
 * Writes the database under another name in the same folder, until it is published. An unfinished copy stays there, so
 * that the next run continues it.
 * @throws DatabaseUnusable when this file exists already
 */
export async function usingTarget<T>(path: string, work: (target: CopyTarget) => Promise<T>): Promise<T> {
  if (existsSync(path)) throw new DatabaseUnusable("this file exists already; name a new one")
  refuseMissing(path)
  const partial = `${path}.copying`
  try {
    if (!existsSync(partial)) createPrivateFile(partial, path)
  } catch (error) {
    throw new DatabaseUnusable(writeProblemOf(error, path), { cause: error })
  }
  const client = openExclusively(partial)
  try {
    client.run("PRAGMA foreign_keys = ON")
    const publish = async () => {
      client.query("DELETE FROM migrations WHERE tag = ?").run(unfinishedCopy)
      client.close()
      syncFile(partial)
      renameSync(partial, path)
      syncFolderOf(path)
    }
    return await work({ ...targetOf(client, path), publish })
  } catch (error) {
    throw asUnusable(error, path)
  } finally {
    client.close()
  }
}

const readerOn = (client: Database, watermark: FoundWatermark): CopySource =>
  readerOf(readsOn(client), {
    columns: async () => columnsIn(client),
    async sequences() {
      const rows = client.query<{ name: string; seq: number }, []>("SELECT name, seq FROM sqlite_sequence").all()
      const given = new Map(rows.map(({ name, seq }) => [name, seq]))
      return new Map(tablesWithSequence.map((table) => [table, given.get(table) ?? 0]))
    },
    verify: (onProgress) => Array.fromAsync(faults({ client, watermark, onProgress })),
  })

function columnsIn(client: Database): ReadonlyMap<string, readonly string[]> {
  const rows = client
    .query<{ table: string; column: string }, []>(
      `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND m.name NOT GLOB 'sqlite_*' ORDER BY m.name, c.cid`,
    )
    .all()
  return new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, columns]) => [
      table,
      columns.map(({ column }) => column),
    ]),
  )
}

function targetOf(client: Database, path: string): Omit<CopyTarget, "publish"> {
  const within = async (work: (tx: Pick<Tx, "send">) => void) => {
    client.transaction(() => work(senderOn(client))).immediate()
  }
  return {
    ...readerOn(client, null),

    async refuseFilled() {}, // the name of the file says that it is an unfinished copy

    async begin(fingerprint, now) {
      const ofAnother = `${path}.copying is an unfinished copy of another database, or of an earlier state; remove it`
      if (isUnfinishedCopyOf(fingerprint, appliedTo(client), migrations, ofAnother)) return
      migrate(client, now)
      client.run("DELETE FROM event_state") // so that copying rows records no events
      client
        .query("INSERT INTO migrations (tag, sha256, applied_at) VALUES (?, ?, ?)")
        .run(unfinishedCopy, fingerprint, now)
    },

    lastKey: (table) => lastKeyOf(readsOn(client), table),

    ...writerOf(within),

    async complete(sequences) {
      await within(({ send }) => {
        send(countPairs)
        for (const [table, last] of sequences) {
          send(sql`DELETE FROM sqlite_sequence WHERE name = ${table}`)
          if (last > 0) send(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${last})`)
        }
      })
    },
  }
}
