import { expect, test } from "bun:test"
import { table, visible } from "../../src/cli/support/output.ts"
import { done, operator } from "./operator.ts"

test("prints a table of name, username, dept, email and currency", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana Maria Souza", "ana@example.com", "x", "sales", "--currency", "BRL"])

  expect(await operates.types(["user-list"])).toEqual(
    done(
      "name             username         dept        email            currency",
      "Admin            admin            management  admin@localhost  USD",
      "Ana Maria Souza  ana-maria-souza  sales       ana@example.com  BRL",
    ),
  )
})

test("--json prints the same as an array of objects", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])

  const { status, stdout, stderr } = await operates.types(["user-list", "--json"])

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  expect(JSON.parse(stdout)).toEqual([
    { name: "Admin", username: "admin", dept: "management", email: "admin@localhost", currency: "USD" },
    { name: "Ana", username: "ana", dept: "sales", email: "ana@example.com", currency: "USD" },
  ])
})

test("wide characters take the two columns that they show", () => {
  expect(
    table(
      ["name", "dept"],
      [
        ["山田", "営業"],
        ["Ana", "sales"],
      ],
    ),
  ).toBe("name  dept\n山田  営業\nAna   sales")
})

test("a name cannot drive the terminal, nor turn a line around", () => {
  expect(visible("\u001b[2JAna\r\n\u0007\u009b\u202eanA\u2028")).toBe(
    "\\u{1b}[2JAna\\u{d}\\u{a}\\u{7}\\u{9b}\\u{202e}anA\\u{2028}",
  )
  expect(visible("Ána 👩‍👩‍👧 می‌خواهم")).toBe("Ána 👩‍👩‍👧 می‌خواهم")
  expect(table(["name"], [["\u202eAna"]])).toBe("name\n\\u{202e}Ana")
})
