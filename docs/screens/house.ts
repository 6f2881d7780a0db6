import { startTestServer } from "../../test/support/server.ts"
import { hire, live, moment } from "./months.ts"
import { tags, tagsInPortuguese } from "./team.ts"
import { lately, latelyInPortuguese } from "./words.ts"

/** Whose server: the team's, another's that speaks Portuguese, or nobody's yet. */
export type House = keyof typeof houses

const houses = {
  english: { tags, words: lately },
  portuguese: { tags: tagsInPortuguese, words: latelyInPortuguese },
  new: { tags, words: null },
}

/** A server at the moment of the pictures, whose clock stands still. */
export async function openHouse(house: House) {
  const { tags, words } = houses[house]
  const server = await startTestServer({ settings: { "recognition.tags": tags.join(",") } })
  const moveTo = (ms: number) => server.clock.advance(ms - server.clock.now())
  if (words !== null) {
    await hire(server.app)
    await live(server.app, words, moveTo)
  }
  moveTo(moment)
  await server.anybody.get("/") // bundles the browser app, before anybody waits for it
  return server
}
