import { expect, test } from "bun:test"
import { statSync } from "node:fs"
import { migrations } from "../../src/storage/sqlite/database/migrations.ts"
import { done, operator, refused } from "./operator.ts"

const tags = migrations.map(({ tag }) => tag)

test("prints what it applied, then that there is nothing to do", async () => {
  await using operates = await operator()

  expect(await operates.types(["migrate"])).toEqual(done(...tags.map((tag) => `Applied ${tag}`)))
  expect(await operates.types(["migrate"])).toEqual(done("Nothing to do"))
})

test("--json prints the tags as an array", async () => {
  await using operates = await operator()

  const first = await operates.types(["migrate", "--json"])
  const second = await operates.types(["migrate", "--json"])

  expect([first, second].map(({ stdout }) => JSON.parse(stdout))).toEqual([tags, []])
})

test("--db goes before the setting db.path", async () => {
  await using operates = await operator()
  const other = `${operates.folder}/other.db`

  expect(await operates.types(["migrate", "--db", other])).toMatchObject({ status: 0 })

  expect(statSync(other).isFile()).toBe(true)
  expect(await operates.types(["migrate"])).not.toEqual(done("Nothing to do"))
})

test("a database that cannot be used is told with its file and the cure", async () => {
  await using operates = await operator()
  const file = `${operates.folder}/letter.db`
  await Bun.write(file, "Dear Ana,\nthese are no points.\n".repeat(100))

  expect(await operates.types(["migrate", "--db", file])).toEqual(
    refused(`cannot use the database ${file}: it is not a database of rewards; name another file in db.path`),
  )
})
