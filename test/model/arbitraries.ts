import fc from "fast-check"
import { everybodysPassword } from "../support/cheap-passwords.ts"

/** Place in the list of credentials, see `credentialAt`: those of the morning, and the latest. */
export const credential = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -4, max: -1 }))

/** Those of the beginning, those who may be created, and nobody. */
export const username = fc.oneof(
  { arbitrary: fc.constantFrom("admin", "ana", "bruno", "carla"), weight: 6 },
  { arbitrary: fc.constantFrom("davi", "elisa-maria", "nobody"), weight: 2 },
)

/** Most often one of `good`, now and then one of `others`. */
export const usually = <T>(good: readonly T[], others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constantFrom(...good), weight: 5 }, { arbitrary: fc.constantFrom(...others), weight: 1 })

export const password = usually(["another password", "ção 🙂".repeat(20)], ["", "x".repeat(1025)])
export const wrongPassword = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 5 },
  { arbitrary: fc.constantFrom("", "a wrong password", everybodysPassword), weight: 1 },
)

/** Absent half of the time. */
export const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

export const avatar = usually<string | null>(
  [null, "https://example.com/a.png"],
  ["ftp://example.com/a.png", `https://${"a".repeat(2041)}`],
)
export const bio = usually([null, "", "ninth floor", "two\nlines", "x".repeat(2000)], ["x".repeat(2001)])

export const value = usually([1, 2, 3, 5, 8, 20], [0, -1, 0.5, 2 ** 52, 2 ** 53 - 1, 2 ** 53])

/** JSON, so that a counterexample can be read. */
export const brief = (told: unknown): string =>
  JSON.stringify(told, (_, value) => (typeof value === "string" && value.length > 40 ? `${value.length} long` : value))
