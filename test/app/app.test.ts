import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { createApp } from "../../src/app/app.ts"
import { openTestApp } from "../support/app.ts"

test("if a start fails after the database was opened, the database is closed again", async () => {
  await using opened = await openTestApp()
  const { config } = opened.app
  await opened.app.close()
  const { path } = config.db
  {
    using database = new Database(path)
    database.run("DROP TRIGGER users_are_never_deleted")
    database.run("DELETE FROM users")
    database.run("CREATE TRIGGER no_users BEFORE INSERT ON users BEGIN SELECT RAISE(ABORT, 'no'); END")
  }

  await expect(createApp(config)).rejects.toThrow()

  // SQLite removes it with the last connection.
  expect(existsSync(`${path}-wal`)).toBe(false)
})
