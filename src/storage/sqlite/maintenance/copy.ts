import type { Database, SQLQueryBindings } from "bun:sqlite"
import { existsSync, renameSync } from "node:fs"
import { writeProblemOf } from "../../../support/system-errors.ts"
import { type CopiedRow, type CopySource, type CopyTarget, unfinishedCopy } from "../../copy/copy.ts"
import { lastKeyOf, readerOf } from "../../copy/reader.ts"
import { type CopiedTable, ledgerTables, tablesWithSequence } from "../../copy/tables.ts"
import { isUnfinishedCopyOf } from "../../migrations.ts"
import { DatabaseUnusable, notUpToDate } from "../../open-store.ts"
import { openClient, openExclusively, refuseForeign } from "../database/client.ts"
import { readsOn } from "../database/database.ts"
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

    async write(table, columns, rows) {
      client.transaction(() => insert(client, table, columns, rows)).immediate()
    },

    async append(page) {
      const { transactions, notes, erasures, columns, end } = page
      client
        .transaction(() => {
          insert(client, ledgerTables.transactions, columns.transactions, transactions)
          insert(client, ledgerTables.notes, columns.notes, notes)
          insert(client, ledgerTables.erasures, columns.erasures, erasures)
          client
            .query("UPDATE ledger_state SET transaction_count = ?, last_id = ?, last_date = ?, last_hash = ?")
            .run(end.count, end.lastId, end.lastDate, end.lastHash)
        })
        .immediate()
    },

    async complete(sequences) {
      client
        .transaction(() => {
          client.run(
            `INSERT INTO pairs (from_id, user_id, count)
             SELECT from_id, user_id, count(*) FROM transactions GROUP BY from_id, user_id ON CONFLICT DO NOTHING`,
          )
          for (const [table, last] of sequences) {
            client.query("DELETE FROM sqlite_sequence WHERE name = ?").run(table)
            if (last > 0) client.query("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, last)
          }
        })
        .immediate()
    },
  }
}

function insert(
  client: Database,
  { name, key, hasOneRow }: CopiedTable,
  columns: readonly string[],
  rows: readonly CopiedRow[],
) {
  const update = columns.map((column) => `${column} = excluded.${column}`).join(", ")
  const statement = client.query<unknown, SQLQueryBindings[]>(
    `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
     ${hasOneRow ? `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${update}` : ""}`,
  )
  for (const row of rows) statement.run(...(row as SQLQueryBindings[]))
}
