import { join } from "node:path"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { temporaryFolder } from "../../../support/executable.ts"
import { migratedFile } from "../../../support/migrated-file.ts"
import { subjectOn } from "../../contract/subject.ts"
import { storeContract } from "../../contract.ts"

storeContract("SQLite", async () => {
  const folder = await temporaryFolder()
  const path = join(folder.path, "rewards.db")
  await migratedFile(path)
  return subjectOn(folder, (timeZone) => openStore({ path, timeZone }))
})
