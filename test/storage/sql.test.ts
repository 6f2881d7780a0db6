import { expect, test } from "bun:test"
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { postgresDialect } from "../../src/storage/postgres/database/database.ts"
import { createCompiler, fields, list, row, type SQL, select, set, sql, where } from "../../src/storage/sql.ts"
import { sqliteDialect } from "../../src/storage/sqlite/database/database.ts"

const things = sqliteTable("things", { id: integer().primaryKey(), userId: integer("user_id"), name: text() })
const thing = fields({ id: things.id, userId: things.userId })

const [onSqlite, onPostgres] = [createCompiler(sqliteDialect), createCompiler(postgresDialect)]
const texts = (query: SQL) => [onSqlite(query).compiled.text, onPostgres(query).compiled.text]

test("casts and locks are left out on SQLite; a literal that looks like one is not", () => {
  expect(
    texts(sql`SELECT ${1}::bigint, '::text', 'it''s FOR UPDATE' FROM ${things} FOR UPDATE OF things SKIP LOCKED`),
  ).toEqual([
    `SELECT ?1, '::text', 'it''s FOR UPDATE' FROM "things"`,
    `SELECT $1::bigint, '::text', 'it''s FOR UPDATE' FROM "things" FOR UPDATE OF things SKIP LOCKED`,
  ])
  for (const lock of [sql`SELECT 1 FOR SHARE`, sql`SELECT 1 FOR NO KEY UPDATE`, sql`SELECT 1 FOR KEY SHARE NOWAIT`])
    expect(onSqlite(lock).compiled.text).toBe("SELECT 1")
  expect(onSqlite(sql`SELECT ${["x"].length}::text[] FROM t`).compiled.text).toBe("SELECT ?1 FROM t")
})

test("a plus sign before a column, which chooses an index on SQLite, is left out on PostgreSQL", () => {
  expect(texts(sql`SELECT 1 + ${1} FROM ${things} WHERE ${things.id} = ${1} AND +${things.userId} = ${2}`)).toEqual([
    `SELECT 1 + ?1 FROM "things" WHERE "things"."id" = ?2 AND +"things"."user_id" = ?3`,
    `SELECT 1 + $1 FROM "things" WHERE "things"."id" = $2 AND "things"."user_id" = $3`,
  ])
  expect(texts(sql`+${things.userId} = ${2}`)).toEqual([`+"things"."user_id" = ?1`, `"things"."user_id" = $1`])
})

test("columns are qualified, parameters are numbered across nested pieces, and a list is one of them", () => {
  const mine = sql`${things.userId} = ${7}`
  const query = select(thing)`FROM ${things} JOIN ${list("asked", [3, 4], "bigint")} ON asked.value = ${things.id}
    WHERE ${mine} AND name = ${"x"}`
  expect(texts(query)).toEqual([
    `SELECT "things"."id" AS "id", "things"."user_id" AS "userId" FROM "things" JOIN json_each(?1) AS "asked" ON asked.value = "things"."id"
    WHERE "things"."user_id" = ?2 AND name = ?3`,
    `SELECT "things"."id" AS "id", "things"."user_id" AS "userId" FROM "things" JOIN unnest($1::bigint[]) WITH ORDINALITY AS "asked" ("value", "key") ON asked.value = "things"."id"
    WHERE "things"."user_id" = $2 AND name = $3`,
  ])
  expect(onSqlite(query).parameters).toEqual(["[3,4]", 7, "x"])
  expect(onPostgres(query).parameters).toEqual([[3, 4], 7, "x"])
})

test("rows and changes name the fields that are given", () => {
  expect(texts(sql`INSERT INTO ${things} ${row(things, { id: 1, name: undefined, userId: null })}`)[0]).toBe(
    `INSERT INTO "things" ("id", "user_id") VALUES (?1, ?2)`,
  )
  const raise = set(things, { name: "x", userId: sql`user_id + ${1}` })
  const query = sql`UPDATE ${things} SET ${raise} WHERE ${things.id} = ${5}`
  expect(texts(query)[1]).toBe(`UPDATE "things" SET "name" = $1, "user_id" = user_id + $2 WHERE "things"."id" = $3`)
  expect(onPostgres(query).parameters).toEqual(["x", 1, 5])
})

test("conditions that are given are joined by AND; without any there is no WHERE", () => {
  const find = (id?: number, name?: string) =>
    sql`SELECT 1 FROM ${things} ${where(
      id === undefined ? undefined : sql`${things.id} = ${id}`,
      name === undefined ? undefined : sql`${things.name} = ${name}`,
    )}`
  expect(texts(find())[0]).toBe('SELECT 1 FROM "things" ')
  expect(texts(find(1))[0]).toBe('SELECT 1 FROM "things" WHERE "things"."id" = ?1')
  expect(texts(find(1, "x"))[0]).toBe('SELECT 1 FROM "things" WHERE "things"."id" = ?1 AND "things"."name" = ?2')
  expect(onSqlite(find(undefined, "x"))).toEqual({ compiled: { text: expect.any(String) }, parameters: ["x"] })
  expect(onSqlite(find(3)).compiled).toBe(onSqlite(find(4)).compiled)
})

test("a place in the code is compiled once; the same place with other pieces is another statement", () => {
  const find = (id: number, more: SQL) => select(thing)`FROM ${things} WHERE ${things.id} = ${id} ${more}`
  const [none, ordered] = [sql``, sql`ORDER BY id`]
  expect(onSqlite(find(1, none)).compiled).toBe(onSqlite(find(2, none)).compiled)
  expect(onSqlite(find(1, ordered)).compiled).not.toBe(onSqlite(find(1, none)).compiled)
  const changed = (name: string | undefined) => sql`UPDATE ${things} SET ${set(things, { name, userId: 1 })}`
  expect(onSqlite(changed("a")).compiled).toBe(onSqlite(changed("b")).compiled)
  expect(onSqlite(changed(undefined)).compiled).not.toBe(onSqlite(changed("b")).compiled)
  // A piece in the place of a parameter, and the other way round.
  const either = (one: SQL | number, two: SQL | number) => sql`SELECT ${one}, ${two}`
  expect(texts(either(none, 1))[0]).toBe("SELECT , ?1")
  expect(texts(either(1, none))[0]).toBe("SELECT ?1, ")
})
