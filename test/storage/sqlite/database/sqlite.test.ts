import { join } from "node:path"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { temporaryFolder } from "../../../support/executable.ts"
import { subjectOn } from "../../contract/subject.ts"
import { storeContract } from "../../contract.ts"

storeContract("SQLite", async () => {
  const folder = await temporaryFolder()
  return subjectOn(folder, () => openStore({ path: join(folder.path, "rewards.db") }))
})
