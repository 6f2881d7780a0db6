import { expect, test } from "bun:test"
import { occasionKinds } from "../../../../src/domain/programme/model.ts"
import { createOccasionStore } from "../../../../src/storage/recognition/occasions.ts"
import { sql } from "../../../../src/storage/sql.ts"
import { connect, plainly, testFolder, watchedStatements } from "../../files.ts"

test("whom to celebrate comes from the indexes by day of the year, in the order of the list, without sorting", async () => {
  await using folder = await testFolder()
  const { statements, openRuns } = watchedStatements()
  await using connection = await connect(folder.file("rewards.db"), { openRuns })
  using client = plainly(folder.file("rewards.db"))
  const hash = "x".repeat(60)
  await connection.database.write((tx) =>
    tx.run(sql`INSERT INTO users (email, email_key, username, username_key, password, name, dept, currency, joined)
      VALUES ('a', 'a', 'admin', 'admin', ${hash}, 'A', 'a', 'USD', '2020-03-01'),
        ('b', 'b', 'bruno', 'bruno', ${hash}, 'B', 'b', 'USD', '2020-03-01')`),
  )
  statements.clear()

  const days = [{ date: "2027-03-01", dayOfYear: "03-01", year: 2027 }]
  const query = { days, kinds: occasionKinds, limit: 6 }
  expect(await createOccasionStore(connection.database).on(query)).toMatchObject([{ username: "bruno" }])
  await createOccasionStore(connection.database).on({ ...query, isOpen: true })

  const plans = [...statements].map((statement) =>
    client
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${statement}`)
      .all()
      .map(({ detail }) => detail),
  )
  const steps = plans.flat()
  expect(steps.filter((step) => /users_by_birthday/.test(step))).toHaveLength(3)
  expect(steps.filter((step) => /users_by_joining/.test(step))).toHaveLength(3)
  expect(steps.filter((step) => /^SCAN users/.test(step))).toEqual([])
  // The days that were asked for are a list, which is sorted.
  expect(plans.filter((plan) => plan.some((step) => /TEMP B-TREE/.test(step)))).toHaveLength(1)
})
