import { expect, test } from "bun:test"
import type { HistoryPageQuery } from "../../../../src/domain/ledger/model.ts"
import { person } from "../../contract/people.ts"
import { connect, plainly, postAll, storesOn, testFolder, watchedStatements } from "../../files.ts"

/** Reads of transactions but of the rows of a page, which are found by id, and of an index that has all that is asked of it. */
const isFromTable = (step: string): boolean =>
  /^(SCAN|SEARCH) transactions/.test(step) && !/USING (COVERING INDEX|INTEGER PRIMARY KEY)/.test(step)

const filters: readonly Partial<HistoryPageQuery>[] = [
  {},
  { receiver: "bruno" },
  { sender: "ana" },
  { participantId: 1 },
  { sender: "ana", receiver: "bruno" },
  { receiver: "ana" }, // few of many
  { participantId: 3 },
]

test("pages in every order skip, sort and compare in an index alone", async () => {
  await using folder = await testFolder()
  const { statements, openRuns } = watchedStatements()
  await using connection = await connect(folder.file("rewards.db"), { openRuns })
  const { users, ledger } = storesOn(connection)
  for (const name of ["Ana", "Bruno", "Carla"]) await users.create(person(name))
  const thanks = { kind: "transfer" as const, senderId: 1, receiverId: 2, date: 1 }
  const many = Array.from({ length: 1300 }, (_, index) => ({ ...thanks, value: 1 + (index % 7) }))
  await postAll(connection, many)
  await postAll(connection, Array(5).fill({ ...thanks, senderId: 3, receiverId: 1, value: 3 }))
  statements.clear()

  for (const filter of filters)
    for (const field of ["date", "value", "user", "from_user"] as const)
      for (const descending of [false, true])
        for (const page of [1, 22, 26]) await ledger.page({ ...filter, order: { field, descending }, page, size: 50 })

  using client = plainly(folder.file("rewards.db"))
  const wrong = [...statements].flatMap((text) => {
    const plan = client.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all()
    const steps = plan.map(({ detail }) => detail).filter(isFromTable)
    return steps.length === 0 ? [] : [{ text, steps }]
  })
  expect(wrong).toEqual([])
  const ordered = [...statements].filter((text) => text.includes("OFFSET"))
  expect(ordered.length).toBeGreaterThan(10)
  // The values of somebody with most of the transactions are found among those of everybody, and of nobody else.
  const isAmongAll = (text: string) => text.includes(`+"transactions"."user_id"`) && /ORDER BY value/.test(text)
  expect(ordered.some(isAmongAll)).toBe(true)
  expect(ordered.some((text) => !isAmongAll(text) && /"user_id" = .* ORDER BY value/s.test(text))).toBe(true)
})
