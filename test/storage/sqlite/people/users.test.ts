import { expect, test } from "bun:test"
import { createPeopleStore } from "../../../../src/storage/people/people.ts"
import { connect, plainly, storesOn, testFolder, watchedStatements } from "../../files.ts"

test("no statement scans all users, except the list of everybody", async () => {
  await using folder = await testFolder()
  const { statements, openRuns } = watchedStatements()
  await using connection = await connect(folder.file("rewards.db"), { openRuns })
  using client = plainly(folder.file("rewards.db"))
  const { users } = storesOn(connection)
  const people = createPeopleStore(connection.database)
  await users.list()
  await users.byEmail("ana@example.com")
  await users.byUsername("ana")
  await users.byLoginName("ana")
  await users.byIds([1, 2])
  await users.balancesOf([1, 2])
  await people.summaries([1, 2])
  await users.inDept("sales", 10)
  await users.idsInDept("sales", 10)
  await users.matching({ usernames: ["ana"], emails: ["ana@example.com"] })
  await users.lastLoginFrom(1, "192.0.2.1")
  await users.isSpent("hash")

  const reads = [...statements].filter((sql) => /^select/i.test(sql))
  const whole = reads.filter((sql) => planOf(sql).some((step) => /^SCAN (users|balances)/.test(step)))
  expect(whole).toEqual([expect.stringContaining('LEFT JOIN "balances"')])
  expect(reads.length).toBeGreaterThan(9)

  function planOf(sql: string): string[] {
    const rows = client.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all()
    return rows.map(({ detail }) => detail)
  }
})
