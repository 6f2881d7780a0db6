import type { ProgrammeStore } from "../domain/programme/ports.ts"
import { forEverybody } from "../support/requester.ts"
import { writeAudit } from "./audit.ts"
import type { Database, Reads } from "./database.ts"
import { columnsOf, fields, row, select, sql } from "./sql.ts"
import { programme } from "./tables.ts"

const stored = fields(columnsOf(programme))

/** The programme, which is one row. */
export const createProgrammeStore = (db: Database): ProgrammeStore => ({
  read: () => forEverybody(() => read(db)),
  begin: async (first) =>
    (await read(db)) === null &&
    (await db.write((tx) =>
      tx.run(sql`INSERT INTO ${programme} ${row(programme, { id, content: first })} ON CONFLICT DO NOTHING`),
    )) > 0,
  update: (change) =>
    db.write(async (tx) => {
      tx.lock("programme")
      const { after, audit } = change(await read(tx))
      if (audit === undefined) return after
      tx.send(sql`INSERT INTO ${programme} ${row(programme, { id, content: after })}
        ON CONFLICT (id) DO UPDATE SET content = excluded.content`)
      writeAudit(tx, audit)
      return after
    }),
})

const id = 1

async function read(reads: Reads) {
  const found = await reads.first(select(stored)`FROM ${programme}`)
  return found === null ? null : found.content
}
