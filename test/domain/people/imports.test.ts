import { expect, spyOn, test } from "bun:test"
import { maxImportErrors } from "../../../src/domain/people/import-rows.ts"
import { openTestApp, operator } from "../../support/app.ts"
import { countTicks, createTickMeter } from "../../support/ticks.ts"

/** Rows that are read or planned in one tick. */
const rowsInTick = 16
const dryRun = { dryRun: true, invite: false }
const nothing = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deactivated: [],
  reactivated: [],
  newDepartments: [],
  errors: [],
}

test("rows are read and planned in time slices", async () => {
  await using opened = await openTestApp()
  const rows = Array.from({ length: 20_000 }, (_, i) => [`Person ${i}`, `p${i}@example.com`, "sales"])
  const table = [["name", "email", "dept"], ...rows]
  const { result, ticks } = await countTicks(() => opened.app.imports.run(operator, table, dryRun))

  expect(result).toMatchObject({ ...nothing, created: 20_000, newDepartments: ["sales"] })
  expect(ticks).toBeGreaterThanOrEqual(2 * (rows.length / rowsInTick))
}, 120_000)

test("blank rows are read in time slices", async () => {
  await using opened = await openTestApp()
  const table = [["name"], ...Array<string[]>(20_000).fill(Array(64).fill(""))]
  const { result, ticks } = await countTicks(() => opened.app.imports.run(operator, table, dryRun))

  expect(result).toMatchObject(nothing)
  expect(ticks).toBeGreaterThanOrEqual(20_000 / rowsInTick)
})

test("a tick normalizes only the cells of a few rows, and none that is too long for its column", async () => {
  await using opened = await openTestApp()
  const marks = (count: number) => "\u0301".repeat(count / 2) + "\u0316".repeat(count / 2)
  const table = [
    ["username", "name", "dept"],
    ...Array<string[]>(100).fill([marks(30_000), marks(30_000), marks(30_000)]),
    ...Array<string[]>(2_000).fill([marks(200), marks(200), "sales"]),
  ]
  const normalized = createTickMeter()
  const normalize = String.prototype.normalize
  using _ = spyOn(String.prototype, "normalize").mockImplementation(function (this: string, form?: string) {
    normalized.add(this.length)
    return normalize.call(this, form)
  })
  const { errors } = await opened.app.imports.run(operator, table, dryRun)

  expect(errors).toHaveLength(maxImportErrors)
  expect(normalized.most()).toBeWithin(1, 4 * rowsInTick * 200)
})

test(`planning ends after ${maxImportErrors} errors`, async () => {
  await using opened = await openTestApp()
  const table = [["name", "email", "dept"], ...Array<string[]>(20_000).fill(["", "x", " "])]
  const { result, ticks } = await countTicks(() => opened.app.imports.run(operator, table, dryRun))

  expect(result.errors).toHaveLength(maxImportErrors)
  // All rows are looked at, read, looked up and assigned to people.
  expect(ticks).toBeWithin(4 * (20_000 / rowsInTick), 4 * (20_000 / rowsInTick) + maxImportErrors)
})

test("a tick normalizes only the names of a few managers", async () => {
  await using opened = await openTestApp()
  const marks = "\u0301\u0316".repeat(30)
  const rows = Array.from({ length: 2_000 }, (_, at) => [`P${at}`, `p${at}@example.com`, "sales", marks])
  const normalized = createTickMeter()
  const normalize = String.prototype.normalize
  using _ = spyOn(String.prototype, "normalize").mockImplementation(function (this: string, form?: string) {
    if (this.includes(marks)) normalized.add(this.length)
    return normalize.call(this, form)
  })
  await opened.app.imports.run(operator, [["name", "email", "dept", "manager"], ...rows], dryRun)

  expect(normalized.most()).toBeWithin(1, 4 * rowsInTick * marks.length)
})
