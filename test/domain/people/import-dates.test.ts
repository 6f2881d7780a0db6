import { expect, test } from "bun:test"
import { type DateOrder, dayOf } from "../../../src/domain/people/import-dates.ts"

const inOrder = (order: DateOrder | null) => ({ order, isUsed: true })

const firstOfMarch = [
  ..."2024-03-01 2024-3-1 2024/03/01 2024.03.01 20240301 1.3.2024 01.03.2024 01.03.24 01-Mar-2024 1-Mar-24 01/Mar/2024".split(
    " ",
  ),
  ...["2024-03-01T00:00:00.000Z", "2024-03-01T23:00:00+01:00", "2024-03-01 00:00:00", "1.3.2024 0:00", "1. 3. 2024"],
  ...["1 Mar 2024", "Mar 1, 2024", "March 1st, 2024", "Friday, March 1, 2024", "Fri Mar 01 2024"],
  ...[
    "1. März 2024",
    "1. Maerz 2024",
    "Freitag, 1. März 2024",
    "1 mars 2024",
    "vendredi 1 mars 2024",
    "1º de março de 2024",
  ],
  ...[
    "1 de marzo de 2024",
    "45352",
    "45352.0",
    "45352,75",
    "2024-03-01 09:00 CET",
    "1.3.2024 09:00 Uhr",
    "1.3.2024, 9:00 MESZ",
  ],
  ...["2024-03-01T09:00:00+01:00 Europe/Berlin", "Fri Mar 01 2024 00:00:00 GMT+0100 (Central European Standard Time)"],
]

test.each(firstOfMarch)("%s is the first of March, whatever the order of slashed dates", (cell) => {
  for (const order of ["dmy", "mdy", null] as const) {
    expect(dayOf("joined", cell, inOrder(order))).toBe("2024-03-01")
    expect(dayOf("birthday", cell, inOrder(order))).toBe("03-01")
  }
})

test.each(["4/3/1990", "04/03/90", "4/3/1990 12:00 AM", "4 / 3 / 1990", "04-03-1990"])("%s is two days", (cell) => {
  const days = [inOrder("dmy"), inOrder("mdy"), inOrder(null)].map((slashed) => dayOf("joined", cell, slashed))
  expect(days).toEqual(["1990-03-04", "1990-04-03", null])
})

test.each(["13/4/1990", "5/5/1990", "4/13/1990"])("%s is one day", (cell) => {
  expect(dayOf("birthday", cell, inOrder(null))).toMatch(/^0[45]-(13|05)$/)
})

test.each(["05-14", "--05-14", "14.05.", "14.5", "5/14", "14/5", "May 14", "14. Mai", "14 mai", "14 de mayo"])(
  "%s is a birthday without a year",
  (cell) => {
    expect(dayOf("birthday", cell, inOrder(null))).toBe("05-14")
    expect(dayOf("joined", cell, inOrder(null))).toBe(cell)
  },
)

test.each([
  "",
  "x",
  "1990",
  "2024-03",
  "0:00",
  "12",
  "1.2.3.4",
  "1 2 2024",
  "May",
  "Foo 14",
  "14 Foo 2024",
  "99999",
  "1".repeat(110),
])("%s is no day", (cell) => {
  for (const column of ["birthday", "joined"] as const) expect(dayOf(column, cell, inOrder("dmy"))).toBe(cell)
})

test("each month is known in each language of the app, short and long", () => {
  for (const language of ["en", "en-GB", "de", "es", "fr", "pt"])
    for (const month of ["short", "long"] as const)
      for (let at = 0; at < 12; at += 1) {
        const name = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" }).format(Date.UTC(2024, at, 15))
        const expected = `2024-${String(at + 1).padStart(2, "0")}-15`
        expect([name, dayOf("joined", `15 ${name} 2024`, inOrder(null))]).toEqual([name, expected])
      }
})
