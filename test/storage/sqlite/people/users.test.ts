import { expect, test } from "bun:test"
import { drizzle } from "drizzle-orm/bun-sqlite"
import { createUserStore } from "../../../../src/storage/sqlite/people/users.ts"
import { connect, testFolder } from "../../files.ts"

test("no statement scans all users, except the list of everybody", async () => {
  await using folder = await testFolder()
  await using connection = await connect(folder.file("rewards.db"))
  const { client } = connection
  const statements = new Set<string>()
  const recording = Object.assign(Object.create(client), {
    prepare: (sql: string) => {
      statements.add(sql)
      return client.prepare(sql)
    },
  })
  const users = createUserStore({ ...connection, client: recording, db: drizzle(recording) })
  await users.list()
  await users.byEmail("ana@example.com")
  await users.inDept("sales", 10)
  await users.matching({ usernames: ["ana"], emails: ["ana@example.com"] })
  await users.lastLoginFrom(1, "192.0.2.1")
  await users.isSpent("hash")

  const reads = [...statements].filter((sql) => /^select/i.test(sql))
  const whole = reads.filter((sql) => planOf(sql).some((step) => step.startsWith("SCAN users")))
  expect(whole).toEqual([expect.stringContaining('left join "balances"')])
  expect(reads.length).toBeGreaterThan(10)

  function planOf(sql: string): string[] {
    const rows = client.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all()
    return rows.map(({ detail }) => detail)
  }
})
