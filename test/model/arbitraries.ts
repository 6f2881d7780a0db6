import fc from "fast-check"
import { everybodysPassword } from "../support/cheap-passwords.ts"

/** A position for `credentialAt`: one of the first credentials or of the latest. */
export const credential = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -4, max: -1 }))

/** The first users, users who may be created, and an unknown one. */
export const username = fc.oneof(
  { arbitrary: fc.constantFrom("admin", "ana", "bruno", "carla"), weight: 6 },
  { arbitrary: fc.constantFrom("davi", "elisa-maria", "nobody"), weight: 2 },
)

/** One of `good` in five of six cases, otherwise one of `others`. */
export const usually = <T>(good: readonly T[], others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constantFrom(...good), weight: 5 }, { arbitrary: fc.constantFrom(...others), weight: 1 })

export const password = usually(["another password", "ção 🙂".repeat(20)], ["", "x".repeat(1025)])
export const wrongPassword = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 5 },
  { arbitrary: fc.constantFrom("", "a wrong password", everybodysPassword), weight: 1 },
)

/** Undefined in one of three cases. */
export const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

export const avatar = usually<string | null>(
  [null, "https://example.com/a.png"],
  ["ftp://example.com/a.png", `https://${"a".repeat(2041)}`],
)
export const bio = usually([null, "", "ninth floor", "two\nlines", "x".repeat(2000)], ["x".repeat(2001)])

export const value = usually([1, 2, 3, 5, 8, 20], [0, -1, 0.5, 2 ** 52, 2 ** 53 - 1, 2 ** 53])

/** JSON without long texts, so that a counterexample is readable. */
export const abbreviated = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === "string" && part.length > 40 ? `${part.length} characters` : part,
  )
