import { expect, test } from "bun:test"
import { diagnose } from "../../../../src/storage/postgres/maintenance/diagnose.ts"
import { clientOf, migratedDatabase } from "../../../support/postgres.ts"
import { foundFutureTimes, timeNow, writeFutureTimes } from "../../future-times.ts"
import { storeAt } from "./support.ts"

test("reports how many stored times a wrong clock has written, by column, and the latest of them", async () => {
  await using database = await migratedDatabase()
  const store = await storeAt(database.url)
  await writeFutureTimes(store)
  await store.close()
  const client = clientOf(database)

  const { contents } = await diagnose(client, { now: timeNow, dueBy: 0, expiringBy: 0 })
  await client.close()

  expect(contents?.futureTimes.filter(({ column }) => column !== "events.at")).toEqual(foundFutureTimes)
})
