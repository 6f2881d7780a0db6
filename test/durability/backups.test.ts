import { expect, test } from "bun:test"
import { backUpUnderLoad, killBackup, killRestore } from "./backup-rounds.ts"
import { foundCompany } from "./company.ts"

test("each backup of a server under load, restored, holds what was acknowledged before it began", async () => {
  await using company = await foundCompany()

  const { backups, acknowledged, faults } = await backUpUnderLoad(company, 16, 4)

  expect(faults).toEqual([])
  expect([backups, acknowledged > 0]).toEqual([4, true])
}, 120_000)

test("a backup and a restore that are killed leave what was there, or what was to come, whole", async () => {
  await using company = await foundCompany()

  const faults: string[] = []
  for (let round = 1; round <= 6; round += 1)
    faults.push(...(await killBackup(company)), ...(await killRestore(company)))

  expect(faults).toEqual([])
}, 120_000)
