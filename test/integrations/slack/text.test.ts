import { expect, test } from "bun:test"
import { parseSlackGive } from "../../../src/integrations/slack/text.ts"

const units = { one: "⭐ star", many: "stars" }

test("the text after /give is parsed as people mean it", () => {
  expect(parseSlackGive("<@U1|ada> 25 points for the review #care #team", units)).toEqual({
    ...{ to: { id: "U1" }, value: 25, reason: "the review", tags: ["care", "team"] },
  })
  expect(parseSlackGive("@ada 5", units)).toEqual({ to: { name: "ada" }, value: 5, reason: "", tags: [] })
  expect(parseSlackGive("ada@example.com 5 <#C1|care> issue#5 &lt;b&gt;", units)).toEqual({
    ...{ to: { name: "ada@example.com" }, value: 5, reason: "issue#5 <b>", tags: ["care"] },
  })
  for (const text of ["", "@ada", "@ada -5", "@ada 1.5", "25 @ada"]) expect(parseSlackGive(text, units)).toBeNull()
})

test("what points are called may follow the number, in the words of the programme too", () => {
  for (const words of ["points", "pontos", "stars", "Stars", "⭐ star"])
    expect(parseSlackGive(`@ada 25 ${words} for the review`, units)).toMatchObject({ reason: "the review" })
  for (const word of ["for", "por", "pela", "para", "für", "pour"])
    expect(parseSlackGive(`@ada 25 ${word} review`, units)).toMatchObject({ reason: "review" })
  expect(parseSlackGive("@ada 25 starship", units)).toMatchObject({ reason: "starship" })
})
