import init from "../../../../drizzle/postgres/0000_init.sql" with { type: "text" }

/** In the order in which they are applied. A published migration is never edited, because databases store its hash. */
export const migrations = [{ tag: "0000_init", sql: init }]
