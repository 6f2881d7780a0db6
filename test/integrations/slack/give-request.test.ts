import { expect, test } from "bun:test"
import { parseGive } from "../../../src/integrations/slack/give-request.ts"

test("the text after /give is parsed as people mean it", () => {
  expect(parseGive("<@U1|ada> 25 points for the review #care #team")).toEqual({
    ...{ to: { slackUser: "U1" }, value: 25, reason: "the review", tags: ["care", "team"] },
  })
  expect(parseGive("@ada 5")).toEqual({ to: { name: "ada" }, value: 5, reason: "", tags: [] })
  expect(parseGive("ada@example.com 5 <#C1|care> issue#5 &lt;b&gt;")).toEqual({
    ...{ to: { name: "ada@example.com" }, value: 5, reason: "issue#5 <b>", tags: ["care"] },
  })
  for (const text of ["", "@ada", "@ada -5", "@ada 1.5", "25 @ada"]) expect(parseGive(text)).toBeNull()
})
