import { expect, test } from "bun:test"
import { type HistoryPageQuery, orderFields } from "../../../../src/domain/ledger/model.ts"
import { createPages } from "../../../../src/storage/sqlite/history/pages.ts"
import { createUserStore } from "../../../../src/storage/sqlite/people/users.ts"
import { threePeople } from "../../contract/people.ts"
import { connect, postAll, testFolder } from "../../files.ts"

/**
 * How many rows a page reads, by the rows that its statements return: Ana sends Bruno and Carla in turn, and one transfer in a
 * thousand is to herself.
 */
async function history(count: number) {
  const folder = await testFolder()
  const connection = await connect(folder.file("rewards.db"))
  const { ana, bruno, carla } = await threePeople({ users: createUserStore(connection) })
  const entries = Array.from({ length: count }, (_, index) => ({
    kind: "transfer" as const,
    senderId: ana.id,
    receiverId: index % 1000 === 500 ? ana.id : index % 2 === 0 ? bruno.id : carla.id,
    value: 1 + ((index * 7919) % 100),
    date: 1000,
  }))
  for (let from = 0; from < count; from += 5000) await postAll(connection, entries.slice(from, from + 5000))

  let rows = 0
  const { client, read } = connection.reader
  const counting = Object.assign(Object.create(client), {
    prepare(sql: string) {
      const statement = client.prepare<unknown, never[]>(sql)
      return {
        run: () => statement.run(),
        get(...values: never[]) {
          rows += 1
          return statement.get(...values)
        },
        all(...values: never[]) {
          const found = statement.all(...values)
          rows += found.length
          return found
        },
      }
    },
  })
  return {
    async rowsOf(query: HistoryPageQuery): Promise<number> {
      rows = 0
      await createPages({ client: counting, read }).page(query)
      return rows
    },
    async [Symbol.asyncDispose]() {
      await connection.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const size = 50
const orders = orderFields.flatMap((field) => [true, false].map((descending) => ({ field, descending })))
const filters: Partial<HistoryPageQuery>[] = [
  {},
  { participantId: 1 },
  { participantId: 2 },
  { sender: "ana" },
  { receiver: "bruno" },
]
/** At most these many entries are in open ends, two lists of a person at a time. */
const openEnds = 2 * 256

test("a first page reads as few rows of a long history as of a short one, with transfers to oneself too", async () => {
  await using long = await history(40_000)
  for (const filter of filters)
    for (const order of orders) {
      // Bruno received everything from one person, whose group is found only by reading the whole list.
      if (order.field === "from_user" && ("receiver" in filter || filter.participantId === 2)) continue
      const rows = await long.rowsOf({ ...filter, order, page: 1, size })
      expect({ filter, order, isFew: rows < openEnds + 600 }).toEqual({ filter, order, isFew: true })
    }
})

test("a page in the middle of a list by date is found without reading all rows before it, with transfers to oneself too", async () => {
  await using long = await history(40_000)
  for (const filter of filters)
    for (const page of [100, 200, 399]) {
      const rows = await long.rowsOf({ ...filter, page, size })
      expect({ filter, page, isFew: rows < openEnds + 600 }).toEqual({ filter, page, isFew: true })
    }
})
