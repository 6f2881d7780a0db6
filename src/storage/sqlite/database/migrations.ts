import init from "../../../../drizzle/0000_init.sql" with { type: "text" }

/** In the order in which they are applied. A published migration is never edited, because databases store its hash. */
export const migrations = [{ tag: "0000_init", sql: init }]

/**
 * SHA-256, hex, of the schema that the migrations make, as `hashOfSchema` computes it. After a change,
 * migrate.test.ts prints the new hash. It is stored here, because building the schema to compare took a tenth of every
 * start.
 */
export const schemaHash = "dfdbce7d535e0abbf236f837b2d15a199c474d65ff8c06c01f1e9199c2ca5e1f"
