import { join } from "node:path"
import type { Store } from "../../../../src/domain/store.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { temporaryFolder } from "../../../support/executable.ts"
import { storeContract } from "../../contract.ts"

storeContract("SQLite", async () => {
  const folder = await temporaryFolder()
  const opened = new Set<Store>()
  const reopen = async () => {
    const store = await openStore({ path: join(folder.path, "rewards.db") })
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
      await folder[Symbol.asyncDispose]()
    },
  }
})
