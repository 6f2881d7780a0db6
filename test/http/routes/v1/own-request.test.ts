import { expect, test } from "bun:test"
import { refused } from "../../../support/answers.ts"
import { type Person, startTestServer, type TestServer } from "../../../support/server.ts"

/** Nobody decides about what is their own, whatever they may do besides. */

const ownRequest = refused(409, "This concerns yourself; somebody else has to decide")

const give = (admin: Person, { username }: { readonly username: string }, ...duties: readonly string[]) =>
  admin.patch(`/api/v1/users/${username}`, { duties })

/** Somebody with points that can be redeemed. */
async function thank(server: TestServer, person: Person) {
  const colleague = await server.person(`Of-${person.username}`)
  await server.grant(colleague, 100)
  await colleague.post("/api/v1/transactions", { to: person.username, value: 100 })
}

/** Redeems reward 1 and returns the path of the request. */
async function redeem(person: Person): Promise<string> {
  const { status, body } = await person.post<{ id: number }>("/api/v1/rewards/1/redemptions", {})
  expect(status).toBe(201)
  return `/api/v1/redemptions/${body.id}`
}

test("nobody answers the own request, with the duty rewards as little as a superuser; somebody else does", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const [ana, rita] = [await server.person("Ana"), await server.person("Rita")]
  const sara = await server.person("Sara", { dept: "management" })
  for (const holder of [ana, rita]) await give(admin, holder, "rewards")
  for (const person of [ana, sara]) await thank(server, person)
  await ana.post("/api/v1/rewards", { name: "Trip", cost: 40 })

  for (const [person, other] of [
    [ana, rita],
    [sara, admin],
  ] as const) {
    const [first, second] = [await redeem(person), await redeem(person)]
    for (const answer of ["fulfilment", "rejection"]) {
      expect(await person.post(`${first}/${answer}`, {})).toEqual(ownRequest)
      expect(await person.post(`${first}/${answer}`, { answer: "x".repeat(501) })).toMatchObject({ status: 422 })
    }
    expect(await other.post(`${first}/fulfilment`, {})).toMatchObject({ status: 200, body: { state: "fulfilled" } })
    expect(await other.post(`${second}/rejection`, {})).toMatchObject({ status: 200, body: { state: "declined" } })
    expect(await person.post(`${first}/fulfilment`, {})).toEqual(ownRequest)
  }
})
