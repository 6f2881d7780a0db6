import init from "../../../../drizzle/0000_init.sql" with { type: "text" }

/** In the order in which they are applied. A published migration is never edited: databases remember its hash. */
export const migrations = [{ tag: "0000_init", sql: init }]

/**
 * SHA-256, hex, of the schema that the migrations make, as `maintenance/verify/file.ts` reads it. After a change,
 * migrate.test.ts prints the new one. Building the schema anew to compare took a tenth of every start.
 */
export const schemaHash = "764eb20860aac67f210d964da021c3bc17f1071fe1a6b74631cc4baa77c98254"
