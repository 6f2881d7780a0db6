import { expect, test } from "bun:test"
import { parseSlackGive } from "../../../src/integrations/slack/text.ts"

test("the text after /give is parsed as people mean it", () => {
  expect(parseSlackGive("<@U1|ada> 25 points for the review #care #team")).toEqual({
    ...{ to: { id: "U1" }, value: 25, reason: "the review", tags: ["care", "team"] },
  })
  expect(parseSlackGive("@ada 5")).toEqual({ to: { name: "ada" }, value: 5, reason: "", tags: [] })
  expect(parseSlackGive("ada@example.com 5 <#C1|care> issue#5 &lt;b&gt;")).toEqual({
    ...{ to: { name: "ada@example.com" }, value: 5, reason: "issue#5 <b>", tags: ["care"] },
  })
  for (const text of ["", "@ada", "@ada -5", "@ada 1.5", "25 @ada"]) expect(parseSlackGive(text)).toBeNull()
})
