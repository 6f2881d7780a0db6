import init from "../../../../drizzle/0000_init.sql" with { type: "text" }

/** In the order in which they are applied. A published migration is never edited: databases remember its hash. */
export const migrations = [{ tag: "0000_init", sql: init }]

/**
 * SHA-256, hex, of the schema that the migrations make, as `maintenance/verify/file.ts` reads it. After a change,
 * migrate.test.ts prints the new one. Building the schema anew to compare took a tenth of every start.
 */
export const schemaHash = "e2ec7693b01d1a7137fbf14b646edb5b621b0cb5e306c1f7a1125f61f2af04d5"
