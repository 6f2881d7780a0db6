import { parseDatabaseUrl } from "../../../src/config/database-url.ts"
import type { Store } from "../../../src/domain/store.ts"
import { createLog } from "../../../src/log.ts"
import { openStore } from "../../../src/storage/postgres/store.ts"
import { migratedDatabase } from "../../support/postgres.ts"
import { storeContract } from "../contract.ts"

storeContract("PostgreSQL", async () => {
  const database = await migratedDatabase()
  const url = parseDatabaseUrl(database.url)
  if (url === undefined) throw new Error("the test's URL is not valid")
  const opened = new Set<Store>()
  const reopen = async () => {
    const store = await openStore({ url, poolSize: 4, log: createLog(() => {}) })
    opened.add(store)
    const close = () => {
      opened.delete(store)
      return store.close()
    }
    return { ...store, close }
  }
  return {
    store: await reopen(),
    reopen,
    async [Symbol.asyncDispose]() {
      for (const store of opened) await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
})
