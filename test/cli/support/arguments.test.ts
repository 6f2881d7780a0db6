import { expect, test } from "bun:test"
import { idArg, parseArguments, pathArg, repeats } from "../../../src/cli/support/arguments.ts"
import { UsageError } from "../../../src/cli/support/failures.ts"

const definition = {
  username: { type: "positional" },
  value: { type: "positional" },
  db: { type: "string" },
  force: { type: "boolean", alias: "f" },
} as const

const parse = (...args: readonly string[]) => parseArguments(args, definition)

test("options may stand anywhere, with their value after a space or after =", () => {
  const points = { username: "ana", value: "10" }
  expect(parse("ana", "10")).toEqual(points)
  expect(parse("ana", "--db", "a.db", "10", "-f")).toEqual({ ...points, db: "a.db", force: true })
  expect(parse("--db=a=b.db", "--force", "ana", "10")).toEqual({ ...points, db: "a=b.db", force: true })
  expect(parse("--db", "-", "ana", "10")).toEqual({ ...points, db: "-" })
})

test("negative numbers, a lone dash and everything after -- are not options", () => {
  expect(parse("ana", "-5")).toEqual({ username: "ana", value: "-5" })
  expect(parse("-", "-5.5")).toEqual({ username: "-", value: "-5.5" })
  expect(parse("--db", "-5", "ana", "10")).toEqual({ username: "ana", value: "10", db: "-5" })
  expect(parse("--force", "--", "--db", "--")).toEqual({ username: "--db", value: "--", force: true })
  expect(parse("", "10")).toEqual({ username: "", value: "10" })
})

test("an option with a default keeps it until another value is given", () => {
  const withLimit = { limit: { type: "string", default: "100" } } as const
  expect(parseArguments([], withLimit)).toEqual({ limit: "100" })
  expect(parseArguments(["--limit", "5"], withLimit)).toEqual({ limit: "5" })
})

for (const [args, message] of [
  [["ana"], "missing VALUE"],
  [[], "missing USERNAME VALUE"],
  [["ana", "10", "11"], "too many arguments: only USERNAME VALUE"],
  [["ana", "10", "--dry"], "unknown option --dry; put an argument that begins with a dash after --"],
  [["ana", "10", "--dry=yes"], "unknown option --dry; put an argument that begins with a dash after --"],
  [["ana", "10", "--username", "bruno"], "unknown option --username; put an argument that begins with a dash after --"],
  [["ana", "10", "--DB", "x"], "unknown option --DB; put an argument that begins with a dash after --"],
  [["ana", "10", "-db", "x"], "unknown option -d; put an argument that begins with a dash after --"],
  [["ana", "10", "--f"], "unknown option --f; put an argument that begins with a dash after --"],
  [["ana", "10", "--no-force"], "unknown option --no-force; put an argument that begins with a dash after --"],
  [["ana", "10", "--__proto__"], "unknown option --__proto__; put an argument that begins with a dash after --"],
  [["ana", "-hunter2"], "unknown option -h; put an argument that begins with a dash after --"],
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
    expect(() => parse(...args)).toThrow(new UsageError(message))
  })

test("the path of a file is not empty", () => {
  const definition = { file: { ...pathArg, required: false } } as const
  expect(parseArguments(["-"], definition)).toEqual({ file: "-" })
  expect(() => parseArguments([""], definition)).toThrow(new UsageError("FILE is empty; name a file"))
})

test("what is missing is reported together; an id is checked before", () => {
  const definition = { id: idArg("a reward"), why: { type: "string", required: true, valueHint: "TEXT" } } as const
  expect(() => parseArguments([], definition)).toThrow(new UsageError("missing ID --why TEXT"))
  expect(() => parseArguments(["1"], definition)).toThrow(new UsageError("missing --why TEXT"))
  expect(() => parseArguments(["one"], definition)).toThrow(new UsageError("ID must be the id of a reward"))
})

test("a command without arguments refuses any", () => {
  expect(() => parseArguments(["x"], {})).toThrow(new UsageError("no arguments expected"))
  expect(parseArguments([], {})).toEqual({})
})

test("an optional positional may be left out, but not one before it", () => {
  const optional = { ...definition, note: { type: "positional", required: false } } as const
  expect(parseArguments(["ana", "10"], optional)).toEqual({ username: "ana", value: "10" })
  expect(parseArguments(["ana", "10", "-"], optional)).toEqual({ username: "ana", value: "10", note: "-" })
  expect(() => parseArguments(["ana"], optional)).toThrow(new UsageError("missing VALUE"))
  expect(() => parseArguments(["a", "b", "c", "d"], optional)).toThrow(
    new UsageError("too many arguments: only USERNAME VALUE NOTE"),
  )
})

test("repeating an option that takes a list adds to it; nothing after -- is an option", () => {
  const lists = { to: repeats, tag: repeats, dept: repeats, note: { type: "positional" } } as const

  expect(parseArguments(["--to", "a", "--dept=b,c", "--to=d=e", "--", "--to=f"], lists)).toEqual({
    to: ["a", "d=e"],
    tag: [],
    dept: ["b,c"],
    note: "--to=f",
  })
})
