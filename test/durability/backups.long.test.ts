import { expect, test } from "bun:test"
import { backUpUnderLoad, killBackup, killRestore } from "./backup-rounds.ts"
import { createCompany } from "./company.ts"

test("a backup of a server under load, once restored, contains everything acknowledged before it began", async () => {
  await using company = await createCompany()

  const { backups, acknowledged, faults } = await backUpUnderLoad(company, 16, 4)

  expect(faults).toEqual([])
  expect([backups, acknowledged > 0]).toEqual([4, true])
}, 120_000)

test("if a backup or a restore is killed, either the old or the new file is there, intact", async () => {
  await using company = await createCompany()

  const faults: string[] = []
  for (let round = 1; round <= 6; round += 1)
    faults.push(...(await killBackup(company)), ...(await killRestore(company)))

  expect(faults).toEqual([])
}, 120_000)
