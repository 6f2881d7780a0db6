import { createDatabase } from "../../../../src/storage/postgres/database/database.ts"
import { clientOf, testDatabase } from "../../../support/postgres.ts"
import { createThings, databaseContract } from "../../database-contract.ts"

databaseContract("PostgreSQL", async () => {
  const server = await testDatabase()
  const clients = [clientOf(server, { poolSize: 8 })]
  const [client] = clients
  await client?.query(createThings)
  return {
    database: createDatabase(client ?? clientOf(server)),
    async reopen() {
      const another = clientOf(server)
      clients.push(another)
      return createDatabase(another)
    },
    async [Symbol.asyncDispose]() {
      for (const each of clients) await each.close()
      await server[Symbol.asyncDispose]()
    },
  }
})
