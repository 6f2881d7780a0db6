import { expect, test } from "bun:test"
import { columns } from "../../src/domain/sums.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { plainly, silent, testFolder } from "./files.ts"

test("sums that were kept come back; those in which a bit flipped count as not there", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  const totals = columns.map((_, index) => Float64Array.of(index, 20, 300))
  const week = { of: "week" as const, startsAt: 7, throughId: 9, totals }
  const month = { ...week, of: "month" as const }
  await store.standings.save([week, month])
  expect(await store.standings.load()).toEqual([week, month])

  using other = plainly(path)
  const at = "length(totals) - 4"
  const flipped = `CAST(substr(totals, 1, ${at}) || unhex(CASE hex(substr(totals, ${at} + 1, 1)) WHEN '00' THEN '01' ELSE '00' END)
    || substr(totals, ${at} + 2) AS BLOB)`
  other.run(`UPDATE standings SET totals = ${flipped} WHERE period = 'week'`)
  expect(await store.standings.load()).toEqual([month])
  other.run("UPDATE standings SET through_id = through_id + 64")
  expect(await store.standings.load()).toEqual([])
  await store.close()
})
