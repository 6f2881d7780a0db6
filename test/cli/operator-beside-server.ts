import { startTestServer } from "../support/server.ts"
import { operator, type Typed } from "./operator.ts"

/** A running server with Ana, and an operator beside it, who works on its database and has its clock. */
export async function operatorBesideServer() {
  const server = await startTestServer()
  const operates = await operator()
  return {
    server,
    folder: operates.folder,
    ana: await server.person("Ana"),
    types: (args: readonly string[], typed: Typed = {}) => {
      const { path, url } = server.app.config.db
      const database = url === null ? { REWARDS_DB__PATH: path } : { REWARDS_DB__URL: url }
      return operates.types(args, { now: server.clock.now, ...typed, env: { ...database, ...typed.env } })
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await operates[Symbol.asyncDispose]()
    },
  }
}
