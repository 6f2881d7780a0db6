import init from "../../../../drizzle/0000_init.sql" with { type: "text" }

/** SQL only: a migration that called today's code would change, or break, whenever that code changes. */
export interface Migration {
  readonly tag: string
  readonly sql: string
}

/** In the order in which they are applied. A published migration is never edited: databases remember its hash. */
export const migrations: readonly Migration[] = [{ tag: "0000_init", sql: init }]

/**
 * SHA-256, hex, over the schema that they make, as `verify/file.ts` reads it. A test tells the new one after a new
 * migration. Making the schema anew to compare took a tenth of every start.
 */
export const schemaHash = "2a6c3244ff3f9deeae862bb0d3bb3e2272d35aad9606a87cfc8244e588f22dc1"
