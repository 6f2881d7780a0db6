import type { Database } from "bun:sqlite"
import init from "../../../drizzle/0000_init.sql" with { type: "text" }
import lists from "../../../drizzle/0001_lists.sql" with { type: "text" }
import appendOnly from "../../../drizzle/0002_append_only.sql" with { type: "text" }
import audit from "../../../drizzle/0003_audit.sql" with { type: "text" }
import recognition from "../../../drizzle/0004_recognition.sql" with { type: "text" }
import people from "../../../drizzle/0005_people.sql" with { type: "text" }
import usersTwice from "../../../drizzle/0006_users_twice.sql" with { type: "text" }
import sources from "../../../drizzle/0007_sources.sql" with { type: "text" }
import departments from "../../../drizzle/0008_departments.sql" with { type: "text" }
import { backfillEmailKeys } from "./backfill-email-keys.ts"
import { backfillLists } from "./backfill-lists.ts"

export interface Migration {
  readonly tag: string
  readonly sql: string
  /** Runs behind `sql`, in the same transaction, for what SQL cannot do; tells `progress` now and then how far it is. */
  readonly backfill?: (client: Database, progress: (text: string) => void) => void
}

/** In the order in which they are applied. A published migration is never edited: databases remember its hash. */
export const migrations: readonly Migration[] = [
  { tag: "0000_init", sql: init },
  { tag: "0001_lists", sql: lists, backfill: backfillLists },
  { tag: "0002_append_only", sql: appendOnly },
  { tag: "0003_audit", sql: audit },
  { tag: "0004_recognition", sql: recognition },
  { tag: "0005_people", sql: people },
  { tag: "0006_users_twice", sql: usersTwice },
  { tag: "0007_sources", sql: sources, backfill: backfillEmailKeys },
  { tag: "0008_departments", sql: departments },
]

/**
 * SHA-256, hex, over the schema that they make, as `verify/file.ts` reads it. A test tells the new one after a new
 * migration. Making the schema anew to compare took a tenth of every start.
 */
export const schemaHash = "2dd537c9c754c105fcc4ebf5b8e70e81661067fe1ab2a141a77baf2b1c03821f"
