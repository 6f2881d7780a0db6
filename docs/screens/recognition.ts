import { callerOf } from "../../test/support/credentials.ts"
import type { TestApp } from "../../test/ui/test-app.ts"

/** Some of what a team says to each other, so that the pictures show life. Everybody named has points. */
export async function thankEachOther({ server }: TestApp) {
  const admin = await callerOf(server.url, { username: "admin", password: "admin" })
  const give = async (from: string, to: string, value: number, more: object) => {
    await admin.post(`/transaction/${from}/`, { value })
    const sender = await callerOf(server.url, { username: from, password: `${from} comes in` })
    await sender.post(`/transaction/${to}/`, { value, ...more })
  }
  await give("bruno-lima", "ana-souza", 50, { reason: "For the calmest release that we ever had.", tags: ["care"] })
  await give("ana-souza", "bruno-lima", 10, { reason: "Your notes of the customer's visit saved me a day." })
  await give("carla-mendes", "ana-souza", 25, { reason: "Between us", private: true })
  await give("carla-mendes", "bruno-lima", 25, {
    reason:
      "You stayed late to mend the invoice run with me. The customers never noticed, and that is exactly the point.",
    tags: ["teamwork", "courage"],
  })
}
