import { testDatabase } from "../support/postgres.ts"
import { operator } from "./operator.ts"

/** An operator whose settings name a PostgreSQL database. */
export async function operatorOnPostgres() {
  const [database, operates] = await Promise.all([testDatabase(), operator()])
  const shown = database.url.replace(/:[^@/]*@/, "@")
  return {
    url: database.url,
    /** The name of the database in messages. */
    shown,
    types: (args: readonly string[], typed: Parameters<typeof operates.types>[1] = {}) =>
      operates.types(args, { ...typed, env: { REWARDS_DB__URL: database.url, ...typed.env } }),
    async [Symbol.asyncDispose]() {
      await operates[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
