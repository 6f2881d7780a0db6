import init from "../../../drizzle/0000_init.sql" with { type: "text" }
import lists from "../../../drizzle/0001_lists.sql" with { type: "text" }
import appendOnly from "../../../drizzle/0002_append_only.sql" with { type: "text" }

export interface Migration {
  readonly tag: string
  readonly sql: string
}

/** In the order in which they are applied. A published migration is never edited: databases remember its hash. */
export const migrations: readonly Migration[] = [
  { tag: "0000_init", sql: init },
  { tag: "0001_lists", sql: lists },
  { tag: "0002_append_only", sql: appendOnly },
]
