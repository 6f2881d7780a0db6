import { join } from "node:path"
import { SQL } from "bun"
import { migrate, migrations } from "../../src/storage/postgres/database/migrations.ts"
import type { Place } from "../support/database.ts"
import { clientOf } from "../support/postgres.ts"
import { until } from "../support/until.ts"

/** The number of the lock for which a migration waits here until its process is killed. */
const lock = 9999

/** Run as a program, migrates the database of this URL up to the end, and waits there, before the commit. */
if (import.meta.main) {
  const [url = ""] = process.argv.slice(2)
  const sql = `CREATE TABLE medals AS SELECT id FROM users; SELECT pg_advisory_xact_lock(${lock});`
  await migrate(clientOf({ url }), { now: 1, known: [...migrations, { tag: "9999_medals", sql }] })
}

/** Migrates the database to the present version and one more, in a process that is killed before the commit. */
export async function dieWhileMigrating({ path, url }: Place): Promise<Bun.Subprocess["signalCode"]> {
  if (url !== null) return dieOnPostgresql(url)
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../storage/killed-while-migrating.ts"), path])
  await child.exited
  return child.signalCode
}

async function dieOnPostgresql(url: string): Promise<Bun.Subprocess["signalCode"]> {
  await using sql = new SQL(url, { max: 1 })
  await sql.unsafe(`SELECT pg_advisory_lock(${lock})`)
  const child = Bun.spawn([process.execPath, import.meta.path, url])
  try {
    await until(async () => {
      const waiting = await sql.unsafe(`
        SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE datname = current_database() AND locktype = 'advisory' AND objid = ${lock} AND NOT granted`)
      return waiting.length === 1 || child.exitCode !== null
    })
  } finally {
    child.kill("SIGKILL")
    await child.exited
  }
  return child.signalCode
}
