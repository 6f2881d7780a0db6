import init from "../../../../drizzle/0000_init.sql" with { type: "text" }

/** In the order in which they are applied. A published migration is never edited: databases remember its hash. */
export const migrations = [{ tag: "0000_init", sql: init }]

/**
 * SHA-256, hex, of the schema that the migrations make, as `maintenance/verify/file.ts` reads it. After a change,
 * migrate.test.ts prints the new one. Building the schema anew to compare took a tenth of every start.
 */
export const schemaHash = "4b7f2dfa6ac286ba8fb9ad129bd89c5cc76c005c41bdb50150dbfa7e56d92c0e"
