import { expect, test } from "bun:test"
import { columns } from "../../../src/domain/recognition/leaderboards.ts"
import { packed, unpacked } from "../../../src/storage/recognition/stored-snapshots.ts"

test("stored snapshots are loaded; one with a flipped bit counts as missing", async () => {
  const totals = columns.map((_, index) => Float64Array.of(index, 20, 300))
  const week = { of: "week" as const, startsAt: 7, throughId: 9, totals }
  const month = { ...week, of: "month" as const }
  const [one, other] = [await packed(week, "UTC"), await packed(month, "UTC")]
  expect(await unpacked([one, other])).toEqual([week, month])

  for (const at of [0, one.totals.length - 4]) {
    const flipped = one.totals.map((byte, index) => (index === at ? byte ^ 4 : byte))
    expect(await unpacked([{ ...one, totals: flipped }, other])).toEqual([month])
  }
  expect(
    await unpacked([
      { ...one, throughId: 9 + 64 },
      { ...other, timeZone: "Asia/Tokyo" },
    ]),
  ).toEqual([])
})
