import { type CopySource, type CopyTarget, unfinishedCopy } from "../../copy/copy.ts"
import { lastKeyOf, readerOf } from "../../copy/reader.ts"
import { tablesWithSequence } from "../../copy/tables.ts"
import { countPairs, writerOf } from "../../copy/writer.ts"
import type { Reads } from "../../database.ts"
import { isUnfinishedCopyOf } from "../../migrations.ts"
import { DatabaseUnusable, notUpToDate } from "../../open-store.ts"
import type { Client, OpenTransaction, Queries } from "../database/client.ts"
import { readsOn, senderOn } from "../database/database.ts"
import { appliedTo, migrate, migrations, missingFrom } from "../database/migrations.ts"
import { faults } from "./verify.ts"

const patienceMs = 24 * 3_600_000

/** Reads the database as of one moment. @throws DatabaseUnusable when it is not up to date */
export async function usingSource<T>(client: Client, work: (source: CopySource) => Promise<T>): Promise<T> {
  if ((await missingFrom(client)).length > 0) throw notUpToDate("copy")
  return client.snapshot((queries) => work(readerIn((read) => read(queries))), patienceMs)
}

/** Runs `read` without the usual time limit of a statement. */
type Reading = <T>(read: (queries: Queries) => Promise<T>) => Promise<T>

const readsIn = (reading: Reading): Reads => ({
  all: (query) => reading((queries) => readsOn(queries).all(query)),
  first: (query) => reading((queries) => readsOn(queries).first(query)),
})

const readerIn = (reading: Reading): CopySource =>
  readerOf(readsIn(reading), {
    columns: () => reading(columnsIn),
    sequences: () => reading(sequencesIn),
    verify: (onProgress) => reading((queries) => Array.fromAsync(faults(queries, { onProgress }))),
  })

/** All columns but generated ones, by table. */
async function columnsIn({ query }: Queries): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await query<{ table: string; columns: string[] }>(`
    SELECT relname AS table, array_agg(attname::text ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = to_regnamespace(current_schema()) AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
      AND attgenerated = ''
    GROUP BY relname ORDER BY relname`)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

async function sequencesIn({ query }: Queries): Promise<ReadonlyMap<string, number>> {
  const sequences = new Map<string, number>()
  for (const table of tablesWithSequence) {
    const [row] = await query<{ last: number }>(
      `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${table}_id_seq`,
    )
    sequences.set(table, row?.last ?? 0)
  }
  return sequences
}

export function targetOf(client: Client): CopyTarget {
  const within = <T>(work: (transaction: OpenTransaction) => Promise<T>) => client.transaction(work, { patienceMs })
  const reading: Reading = (read) => client.snapshot(read, patienceMs)

  return {
    ...readerIn(reading),

    async refuseFilled() {
      const applied = await appliedTo(client)
      const isUnfinished = applied.some(({ tag }) => tag === unfinishedCopy)
      if (applied.length === 0 || isUnfinished) return
      if ((await client.query("SELECT FROM users LIMIT 1")).length > 0)
        throw new DatabaseUnusable("it is not empty; name an empty database, or empty it with `rewards reset-db`")
    },

    async begin(fingerprint, now) {
      const ofAnother =
        "it is an unfinished copy of another database, or of an earlier state; drop it with `rewards reset-db`"
      if (isUnfinishedCopyOf(fingerprint, await appliedTo(client), migrations, ofAnother)) return
      await migrate(client, { now })
      await client.change("DELETE FROM event_state") // so that copying rows records no events
      await client.change("INSERT INTO migrations (tag, sha256, applied_at) VALUES ($1, $2, $3)", [
        unfinishedCopy,
        fingerprint,
        now,
      ])
    },

    lastKey: (table) => lastKeyOf(readsIn(reading), table),

    ...writerOf((work) => within(async (transaction) => work(senderOn(transaction)))),

    complete: (sequences) =>
      within(async ({ send }) => {
        senderOn({ send }).send(countPairs)
        for (const [table, last] of sequences)
          send("SELECT setval(pg_get_serial_sequence($1, 'id'), greatest($2, 1), $2 > 0)", [table, last])
        send("ANALYZE")
      }),

    async publish() {
      await client.change("DELETE FROM migrations WHERE tag = $1", [unfinishedCopy])
    },
  }
}
