import { startTestServer } from "../../test/support/server.ts"
import { hire, live, moment } from "./months.ts"
import { ana, carla, passwordOf, reports, tags, tagsInPortuguese } from "./team.ts"
import { lately, latelyInPortuguese } from "./words.ts"

/** Whose server: the team's, another's that speaks Portuguese, or nobody's yet. */
export type House = keyof typeof houses

const houses = {
  english: { tags, words: lately, budget: "Yours to give away this month." },
  portuguese: { tags: tagsInPortuguese, words: latelyInPortuguese, budget: "Para você dar neste mês." },
  new: { tags, words: null, budget: "" },
}

/** A server at the moment of the pictures, whose clock stands still. */
export async function openHouse(house: House) {
  const { tags, words, budget } = houses[house]
  const server = await startTestServer({ settings: { "recognition.tags": tags.join(",") } })
  const moveTo = (ms: number) => server.clock.advance(ms - server.clock.now())
  if (words !== null) {
    await hire(server.app)
    await live(server.app, { lately: words, budget }, moveTo)
  }
  moveTo(moment)
  if (words !== null) {
    await offer(server)
    await appoint(server)
  }
  await server.anybody.get("/") // bundles the browser app, before anybody waits for it
  return server
}

/** A catalogue with one request, and a budget for the months to come. */
async function offer(server: Awaited<ReturnType<typeof startTestServer>>) {
  const admin = await server.admin()
  const rewards = [
    { name: "An afternoon off", description: "On a day that suits your team.", cost: 300, limit_per_person: 2 },
    { name: "Lunch for two", description: "With a colleague, at the place around the corner.", cost: 120 },
    { name: "A tree", description: "Planted in your name.", cost: 60, stock: 25 },
  ]
  const ids = []
  for (const reward of rewards) ids.push((await admin.post<{ id: number }>("/api/v1/rewards", reward)).body.id)
  const member = await server.as({ username: ana.username, password: passwordOf(ana) })
  await member.post(`/api/v1/rewards/${ids.at(-1)}/redemptions`, { comment: "An oak, if you can." })
  const budget = { name: "Yours to give", value: 80, mode: "add", period: "month", on: 1, audience: { everyone: true } }
  await admin.post("/api/v1/allowances", budget)
}

/** Some of the team report to Carla. */
async function appoint(server: Awaited<ReturnType<typeof startTestServer>>) {
  const admin = await server.admin()
  for (const { username } of reports) await admin.patch(`/api/v1/users/${username}`, { manager: carla.username })
}
