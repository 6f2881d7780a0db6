import { expect, test } from "bun:test"
import { checkedArguments, listsIn, repeats } from "../../src/cli/arguments.ts"
import { UsageError } from "../../src/cli/failures.ts"

const definition = {
  username: { type: "positional" },
  value: { type: "positional" },
  db: { type: "string" },
  force: { type: "boolean", alias: "f" },
} as const

const check = (...args: readonly string[]) => checkedArguments(args, definition)

test("options come first, each with its value; what has no name stands behind --", () => {
  expect(check("ana", "10")).toEqual(["--", "ana", "10"])
  expect(check("ana", "--db", "a.db", "10", "-f")).toEqual(["--db=a.db", "--force", "--", "ana", "10"])
  expect(check("--db=a=b.db", "--force", "ana", "10")).toEqual(["--db=a=b.db", "--force", "--", "ana", "10"])
  expect(check("--db", "-", "ana", "10")).toEqual(["--db=-", "--", "ana", "10"])
})

test("a negative number and a dash alone are no options, and nothing is one behind --", () => {
  expect(check("ana", "-5")).toEqual(["--", "ana", "-5"])
  expect(check("-", "-5.5")).toEqual(["--", "-", "-5.5"])
  expect(check("--db", "-5", "ana", "10")).toEqual(["--db=-5", "--", "ana", "10"])
  expect(check("--force", "--", "--db", "--")).toEqual(["--force", "--", "--db", "--"])
  expect(check("", "10")).toEqual(["--", "", "10"])
})

for (const [args, message] of [
  [["ana"], "missing VALUE"],
  [[], "missing USERNAME VALUE"],
  [["ana", "10", "11"], "too many arguments: only USERNAME VALUE"],
  [["ana", "10", "--dry"], "unknown option --dry; an argument that begins with a dash goes behind --"],
  [["ana", "10", "--dry=yes"], "unknown option --dry; an argument that begins with a dash goes behind --"],
  [
    ["ana", "10", "--username", "bruno"],
    "unknown option --username; an argument that begins with a dash goes behind --",
  ],
  [["ana", "10", "--DB", "x"], "unknown option --DB; an argument that begins with a dash goes behind --"],
  [["ana", "10", "-db", "x"], "unknown option -d; an argument that begins with a dash goes behind --"],
  [["ana", "10", "--f"], "unknown option --f; an argument that begins with a dash goes behind --"],
  [["ana", "10", "--no-force"], "unknown option --no-force; an argument that begins with a dash goes behind --"],
  [["ana", "10", "--__proto__"], "unknown option --__proto__; an argument that begins with a dash goes behind --"],
  [["ana", "-hunter2"], "unknown option -h; an argument that begins with a dash goes behind --"],
  [["ana", "10", "--db"], "option --db needs a value"],
  [["ana", "10", "--db="], "option --db needs a value"],
  [["ana", "10", "--db", ""], "option --db needs a value"],
  [["ana", "10", "--db", "--force"], "option --db needs a value"],
  [["ana", "10", "--db", "--", "x"], "option --db needs a value"],
  [["ana", "10", "--force=yes"], "option --force takes no value"],
  [["ana", "10", "--db", "a.db", "--db=b.db"], "option --db is given twice"],
  [["ana", "10", "--force", "-f"], "option -f is given twice"],
] as const)
  test(`refuses ${JSON.stringify(args)}: ${message}`, () => {
    expect(() => check(...args)).toThrow(new UsageError(message))
  })

test("where no argument is expected, every one is too many", () => {
  expect(() => checkedArguments(["x"], {})).toThrow(new UsageError("no arguments expected"))
  expect(checkedArguments([], {})).toEqual(["--"])
})

test("a positional that is not required may be left out, not one before it", () => {
  const optional = { ...definition, note: { type: "positional", required: false } } as const
  expect(checkedArguments(["ana", "10"], optional)).toEqual(["--", "ana", "10"])
  expect(checkedArguments(["ana", "10", "-"], optional)).toEqual(["--", "ana", "10", "-"])
  expect(() => checkedArguments(["ana"], optional)).toThrow(new UsageError("missing VALUE"))
  expect(() => checkedArguments(["a", "b", "c", "d"], optional)).toThrow(
    new UsageError("too many arguments: only USERNAME VALUE NOTE"),
  )
})

test("an option that takes a list adds to it when it is repeated; behind -- nothing is an option", () => {
  const lists = { to: repeats, tag: repeats, dept: repeats, note: { type: "positional" } } as const
  const checked = checkedArguments(["--to", "a", "--dept=b,c", "--to=d=e", "--", "--to=f"], lists)

  expect(listsIn(checked, lists)).toEqual({ to: ["a", "d=e"], tag: [], dept: ["b,c"] })
})
