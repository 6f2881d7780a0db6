import { expect, test } from "bun:test"
import { evaluate, isDeclaration, isIncomplete } from "../../src/cli/repl.ts"

test("the value of the last expression is awaited and returned", async () => {
  expect(await evaluate("1; 2")).toBe(2)
  expect(await evaluate("Promise.resolve(3)")).toBe(3)
  expect(await evaluate("await Promise.resolve({ a: 4 })")).toEqual({ a: 4 })
  expect(await evaluate("{ value: 5 }")).toEqual({ value: 5 })
  expect(await evaluate("if (true) 6")).toBeUndefined()
  expect(await evaluate("")).toBeUndefined()
  expect(await evaluate("(await import('node:path')).sep")).toBe("/")
})

test("declarations stay, and a name can be declared again", async () => {
  await evaluate("const evaluated = await Promise.resolve(1)")
  await evaluate("const evaluated = 2; function twice(n) { return n * evaluated }")

  expect(await evaluate("twice(4)")).toBe(8)
})

test("errors that the code throws are passed on", async () => {
  expect(await evaluate("throw new RangeError('no')").catch(String)).toBe("RangeError: no")
  expect(await evaluate("await Promise.reject(new RangeError('no'))").catch(String)).toBe("RangeError: no")
  expect(await evaluate("missing.it").catch(String)).toBe("ReferenceError: missing is not defined")
})

test("code that more lines could complete counts as incomplete", () => {
  for (const code of ["f(", "({", "[1,", "a +", "function f() {", "/* a", "`a\n", "`a ${", "if (a) {\n b", "`a` + `"])
    expect([code, isIncomplete(code)]).toEqual([code, true])
  for (const code of ["", "f()", "'a", "'a\n", "a)", "`a`", "// a", "x = {a: 1}", "let enum = 1"])
    expect([code, isIncomplete(code)]).toEqual([code, false])
})

test("declarations are recognized, because the shell does not print their value", () => {
  for (const code of ["const a = 1", "let a", "function f() {}", " async function f() {}", "import a from 'a'"])
    expect([code, isDeclaration(code)]).toEqual([code, true])
  for (const code of ["constant", "a = 1", "letter()", "async () => {}"])
    expect([code, isDeclaration(code)]).toEqual([code, false])
})
