import init from "../../../../drizzle/postgres/0000_init.sql" with { type: "text" }

/** SQL only: a migration that called today's code would change, or break, whenever that code changes. */
export interface Migration {
  readonly tag: string
  readonly sql: string
}

/** In the order in which they are applied. A published migration is never edited: databases remember its hash. */
export const migrations: readonly Migration[] = [{ tag: "0000_init", sql: init }]
