import { SQL } from "bun"
import { migrate, migrations } from "../../src/storage/postgres/database/migrations.ts"
import { clientOf } from "../support/postgres.ts"

/*
 * What a PostgreSQL database holds, without its schema, which the migrations make: for each row a line with the name of
 * its table, a tab, and the row in JSON. Unlike a data directory it is text that every version of PostgreSQL reads on
 * every machine, and unlike pg_dump it needs no program of PostgreSQL's.
 */

const sequences = "pg_sequences"

/** Reads all rows at one moment. */
export function dump(url: string): Promise<string> {
  return connected(url, (sql) =>
    sql.begin("ISOLATION LEVEL REPEATABLE READ", async (transaction) => {
      const tables: readonly { name: string }[] = await transaction.unsafe(`
        SELECT relname AS name FROM pg_class
        WHERE relnamespace = to_regnamespace(current_schema()) AND relkind = 'r' ORDER BY relname`)
      const lines: string[] = []
      const add = async (name: string, source: string) => {
        const rows: readonly { json: string }[] = await transaction.unsafe(
          `SELECT to_json(r)::text AS json FROM ${source} r`,
        )
        for (const { json } of rows) lines.push(`${name}\t${json}\n`)
      }
      for (const { name } of tables) await add(name, name)
      await add(
        sequences,
        `(SELECT sequencename AS name, last_value AS last FROM pg_sequences
          WHERE schemaname = current_schema() AND last_value IS NOT NULL)`,
      )
      return lines.join("")
    }),
  )
}

/** Fills an empty database: first the migrations that it had, then its rows, as they are. */
export async function restore(url: string, dumped: string): Promise<void> {
  const rows = Map.groupBy(dumped.trimEnd().split("\n"), (line) => line.slice(0, line.indexOf("\t")))
  const json = (name: string) => `[${(rows.get(name) ?? []).map((line) => line.slice(name.length + 1)).join()}]`

  const client = clientOf({ url })
  try {
    await migrate(client, { now: 1, known: migrations.slice(0, rows.get("migrations")?.length) })
  } finally {
    await client.close()
  }
  await connected(url, async (sql) => {
    await sql.unsafe("SET session_replication_role = replica") // neither triggers nor foreign keys
    for (const name of rows.keys())
      if (name !== sequences) {
        await sql.unsafe(`DELETE FROM ${name}`) // a migration may have made rows
        const columns = await storedColumns(sql, name)
        await sql.unsafe(
          `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1::text::json)`,
          [json(name)],
        )
      }
    await sql.unsafe("SELECT setval(name, last) FROM json_to_recordset($1::text::json) AS s (name text, last bigint)", [
      json(sequences),
    ])
  })
}

/** The columns of a table that are not generated, as a list. */
async function storedColumns(sql: SQL, table: string): Promise<string> {
  const [{ columns }] = await sql.unsafe(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  )
  return columns
}

async function connected<T>(url: string, work: (sql: SQL) => Promise<T>): Promise<T> {
  const sql = new SQL(url, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.close()
  }
}
