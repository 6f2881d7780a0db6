import { expect, test } from "bun:test"
import fc from "fast-check"
import { DomainError } from "../../../src/domain/errors.ts"
import { checkedNote } from "../../../src/domain/ledger/notes.ts"
import {
  checkedProfile,
  checkedUser,
  type UserRequest,
  usernameFrom,
  usernameKey,
} from "../../../src/domain/people/fields.ts"

const ana: UserRequest = { name: "Ana", email: "ana@example.com", dept: "sales", password: "x" }

/** What `checkedUser` makes of Ana with these fields, or the message of its refusal. */
function outcome(fields: Partial<UserRequest>) {
  try {
    return checkedUser({ ...ana, ...fields })
  } catch (error) {
    if (error instanceof DomainError && error.code === "invalid") return error.message
    throw error
  }
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 130 }),
  fc.string({ unit: "binary", maxLength: 130 }),
  fc.string({ unit: fc.constantFrom("a", "É", " ", "\u200b", "/", "\ud800", "\0", "@", "."), maxLength: 12 }),
)

test("a username is lower case, trimmed and in NFC, with a hyphen for each run of white space", () => {
  expect(usernameFrom("Ana Souza")).toBe("ana-souza")
  expect(usernameFrom("\t Ana \u2003 Maria\u00a0Souza\n")).toBe("ana-maria-souza")
  expect(usernameFrom("JOSÉ".normalize("NFD"))).toBe("josé")
  expect(usernameFrom("Anne-Marie")).toBe("anne-marie")
  expect(usernameFrom("")).toBe("")
})

test("a generated username is a valid username, and is found in either Unicode form", () => {
  fc.assert(
    fc.property(text, (name) => {
      const username = usernameFrom(name)
      expect(usernameFrom(username)).toBe(username)
      expect(usernameKey(username)).toBe(username)
      expect(usernameKey(username.normalize("NFD"))).toBe(username)
    }),
  )
})

test("an omitted field gets its default", () => {
  expect(checkedUser(ana)).toEqual({ ...ana, username: "ana", currency: "USD", avatar: null, bio: null })
  expect(checkedUser({ ...ana, username: null, avatar: null, bio: null })).toEqual(checkedUser(ana))
})

test("an accepted username is visible and fits unchanged into one segment of a path", () => {
  fc.assert(
    fc.property(text, (given) => {
      const result = outcome({ username: given })
      if (typeof result === "string") return expect(result).toStartWith("username: ")

      const { username } = result
      expect(username).toBe(given.normalize("NFC"))
      expect([...username].length).toBeWithin(1, 65)
      const path = new URL(`http://localhost/user/${encodeURIComponent(username)}/`).pathname
      expect(path.split("/").map(decodeURIComponent)).toEqual(["", "user", username, ""])
      expect(username).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
    }),
    { numRuns: 1000 },
  )
})

test("a refusal names the field and never the value", () => {
  const fields = fc.record({
    name: text,
    email: text,
    dept: text,
    currency: text,
    username: text,
    avatar: text,
    bio: text,
  })
  fc.assert(
    fc.property(fields, (given) => {
      const result = outcome(given)
      if (typeof result !== "string") return
      expect(result).toMatch(/^(name|email|dept|currency|username|avatar|bio): [ -~]+$/)
      for (const value of Object.values(given)) if (value.length > 40) expect(result).not.toContain(value)
    }),
    { numRuns: 1000 },
  )
})

test("an accepted e-mail address names one mailbox and contains no line break", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab.@,;<>"\r\n :\\()[]é-_+'), maxLength: 12 }), (email) => {
      const result = outcome({ email })
      if (typeof result === "string") return expect(result).toBe("email: one plain address of at most 254 characters")
      expect(email).toMatch(/^[^@]+@[^@]+$/)
      expect(email).not.toMatch(/[\s,;<>"\\:()[\]]/)
    }),
    { numRuns: 5000 },
  )
})

test("lengths count characters, not UTF-16 units", () => {
  expect(outcome({ username: "🙂".repeat(64) })).toMatchObject({ username: "🙂".repeat(64) })
  expect(outcome({ username: "🙂".repeat(65) })).toBe("username: 1 to 64 characters")
  expect(checkedProfile({ bio: "🙂".repeat(2000) }).bio).toHaveLength(4000)
})

/** Invisible characters, and those that control a terminal or the direction of text. */
const hidden = {
  escape: "\x1b",
  tab: "\t",
  "right-to-left override": "\u202e",
  "direction isolate": "\u2066",
  "zero-width space": "\u200b",
  "zero-width joiner": "\u200d",
  "byte order mark": "\ufeff",
  "soft hyphen": "\u00ad",
  "line separator": "\u2028",
  filler: "\u3164",
  "variation selector": "\ufe0f",
  "tag letter": "\u{e0061}",
  "lone surrogate": "\ud800",
}

test.each(Object.entries(hidden))("no text field accepts an invisible character: %s", (_, character) => {
  const text = `Ana${character}Lima`
  for (const field of ["name", "dept", "currency", "username", "bio"] as const)
    expect(outcome({ [field]: text })).toStartWith(`${field}: `)
  expect(outcome({ email: `${text}@example.com` })).toStartWith("email: ")
  expect(() => checkedNote({ reason: text })).toThrow("reason: ")
})

test.each(["❤️", "1️⃣", "👩🏽‍💻", "🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "क्‍ष"])(
  "a bio and a reason accept several lines, and the joiners in emoji and words: %s",
  (word) => {
    const text = `Hello\n${word}\n${word}!`
    expect(outcome({ bio: text })).toMatchObject({ bio: text })
    expect(checkedNote({ reason: text })).toMatchObject({ reason: text })
  },
)
