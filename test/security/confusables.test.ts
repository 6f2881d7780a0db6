import { expect, test } from "bun:test"
import { confusableForms } from "../../src/security/confusables.ts"

const lookAlike = (one: string, other: string) => !confusableForms(one).isDisjointFrom(confusableForms(other))

test.each([
  ["ana", "Ana", "another case"],
  ["ana", "аnа", "Cyrillic letters"],
  ["bob", "ВОВ", "Cyrillic capitals"],
  ["bob", "ΒΟΒ", "Greek capitals"],
  ["ana", "ａｎａ", "full-width letters"],
  ["ana", "𝐚𝐧𝐚", "mathematical letters"],
  ["ana", "a\u200bna", "a zero-width space"],
  ["ana", "an\u034fa", "a grapheme joiner"],
  ["ana", "ana\u3164", "a filler"],
  ["ana", "ana ", "a space at the end"],
  ["ana souza", "ana\u00a0\u2003souza", "other white space"],
  ["ana-souza", "ana‐souza", "another hyphen"],
  ["filip", "ﬁlip", "a ligature"],
  ["ivan", "ıvan", "a dotless i"],
  ["ivan", "İvan", "a dotted capital"],
  ["zoé", "zoe\u0301", "a combining accent"],
  ["αλέξης", "ΑΛΈΞΗΣ", "Greek in capitals"],
  ["аня", "АНЯ", "Cyrillic in capitals"],
])("%s and %s look alike: %s", (one, other) => {
  expect(lookAlike(one, other)).toBe(true)
  expect(lookAlike(other, one)).toBe(true)
})

test.each([
  ["ana", "anna"],
  ["zoe", "zoé"],
  ["user-1", "user-l"],
  ["user-0", "user-o"],
  ["bernie", "bemie"],
  ["ana", "аня"],
  ["ana.souza", "ana-souza"],
  ["straße", "strasse"],
])("%s and %s do not look alike", (one, other) => {
  expect(lookAlike(one, other)).toBe(false)
})
