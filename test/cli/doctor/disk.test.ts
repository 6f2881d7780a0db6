import { expect, test } from "bun:test"
import { checkDisk } from "../../../src/cli/doctor/disk.ts"
import { temporaryFolder } from "../../support/executable.ts"

test("room above the floor is sound, also where the folder is yet to be made; less is bad", async () => {
  await using folder = await temporaryFolder()
  const database = `${folder.path}/new/folder/rewards.db`
  const message = expect.stringMatching(new RegExp(`^\\d+ MB free at ${folder.path}$`))

  expect(await checkDisk(database, 0)).toMatchObject({ check: "disk", message })
  expect(await checkDisk(database, 0)).not.toMatchObject({ verdict: "bad" })
  expect(await checkDisk(database, 1_000_000_000)).toEqual({
    check: "disk",
    verdict: "bad",
    message,
    cure: "free some, or move the database (db.path)",
  })
})
