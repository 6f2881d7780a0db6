import { expect, test } from "bun:test"
import { createBatch } from "../../src/storage/sqlite/batch.ts"
import { createColumns } from "../../src/storage/sqlite/columns.ts"
import type { Reading } from "../../src/storage/sqlite/sequences.ts"
import { createUserStore } from "../../src/storage/sqlite/users.ts"
import { person } from "./contract/people.ts"
import { connect, testFolder } from "./files.ts"

test("the values of everything are what was sent, however large, and a full block is read once", async () => {
  await using folder = await testFolder()
  using connection = await connect(folder.file("rewards.db"))
  const users = createUserStore(connection)
  const [ana, bruno] = [await users.create(person("Ana")), await users.create(person("Bruno"))]
  const post = (values: readonly number[]) =>
    createBatch(connection)([
      {
        entries: values.map((value) => ({ senderId: ana.id, receiverId: bruno.id, value, date: 1000 })),
        check() {},
        resolve() {},
        reject() {},
      },
    ])
  const blocks = [100, 60_000, 4_000_000_000, 2 ** 36].map((most) =>
    Array.from({ length: 16_384 }, (_, index) => most - (index % 7)),
  )
  const sent = [...blocks.flat(), 5, 6, 7]
  post(sent)

  const reads: number[] = []
  const { client } = connection
  const counting = Object.assign(Object.create(client), {
    prepare: (sql: string) => {
      const statement = client.prepare<{ list: string }, [number, number]>(sql)
      return {
        get(first: number, last: number) {
          reads.push(first)
          return statement.get(first, last)
        },
      }
    },
  })
  const columns = createColumns(counting)
  const valuesThrough = (last: number) => {
    const read = whole(columns.through(last))
    expect(read.map(({ idAt }) => idAt(0))).toEqual(read.map((_, index) => 1 + index * 16_384))
    return read.flatMap(({ values }) => Array.from(values))
  }

  expect(valuesThrough(16_385)).toEqual(sent.slice(0, 16_385))
  expect(valuesThrough(sent.length)).toEqual(sent)
  reads.length = 0
  post([8])
  expect(valuesThrough(sent.length + 1)).toEqual([...sent, 8])
  expect(reads).toEqual([4 * 16_384 + 1])
})

function whole<T>(reading: Reading<T>): T {
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}
