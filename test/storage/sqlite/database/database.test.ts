import { createThings, databaseContract } from "../../database-contract.ts"
import { change, connect, testFolder } from "../../files.ts"

databaseContract("SQLite", async () => {
  const folder = await testFolder()
  const path = folder.file("rewards.db")
  const open = async () => {
    const connection = await connect(path)
    opened.push(connection)
    return connection.database
  }
  const opened: AsyncDisposable[] = []
  const first = await connect(path)
  opened.push(first)
  await change(first, createThings)
  return {
    database: first.database,
    reopen: open,
    async [Symbol.asyncDispose]() {
      for (const connection of opened) await connection[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
})
