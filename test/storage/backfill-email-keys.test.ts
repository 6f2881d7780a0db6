import { expect, test } from "bun:test"
import { migrate } from "../../src/storage/sqlite/migrate.ts"
import { migrations } from "../../src/storage/sqlite/migrations.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { person } from "./contract/people.ts"
import { plainly, silent, testFolder } from "./files.ts"

test("addresses of earlier versions are found with either sigma; where two would be one, both stay", async () => {
  await using folder = await testFolder()
  const path = folder.file("old.db")
  {
    using client = plainly(path)
    const before = migrations.findIndex(({ tag }) => tag.endsWith("_sources"))
    migrate(client, 1, migrations.slice(0, before))
    const insert = client.prepare(
      "INSERT INTO users (email, email_key, username, password, name, dept, currency) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    for (const [username, email] of [
      ["nikos", "νίκος@example.com"],
      ["alexis", "αλέξης@example.com"],
      ["alexis-too", "αλέξησ@example.com"],
    ] as const) {
      const { password, name, dept, currency } = person("Ana")
      insert.run(email, email, username, password, name, dept, currency)
    }
  }

  const store = await openStore({ path, log: silent })
  const found = async (email: string) => (await store.users.byEmail(email))?.username

  expect(await found("ΝΊΚΟΣ@example.com")).toBe("nikos")
  expect(await found("νίκος@example.com")).toBe("nikos")
  expect(await found("αλέξης@example.com")).toBe("alexis-too")
  expect((await store.users.byUsername("alexis"))?.email).toBe("αλέξης@example.com")
  await store.close()
})
