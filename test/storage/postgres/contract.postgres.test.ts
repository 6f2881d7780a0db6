import { parseDatabaseUrl } from "../../../src/config/database-url.ts"
import { openStore } from "../../../src/storage/postgres/store.ts"
import { createLog } from "../../../src/support/log.ts"
import { migratedDatabase } from "../../support/postgres.ts"
import { subjectOn } from "../contract/subject.ts"
import { storeContract } from "../contract.ts"

storeContract("PostgreSQL", async () => {
  const database = await migratedDatabase()
  const url = parseDatabaseUrl(database.url)
  if (url === undefined) throw new Error("the test's URL is not valid")
  return subjectOn(database, (timeZone) => openStore({ url, poolSize: 4, timeZone, log: createLog(() => {}) }))
})
