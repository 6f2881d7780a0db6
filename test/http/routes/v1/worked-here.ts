import { pngOf } from "../../../support/pictures.ts"
import type { TestServer } from "../../../support/server.ts"

/** Lets Zoë work here for a while, with colleagues. All data stored about her contains one of `traces`. */
export async function workedHere(server: TestServer) {
  const admin = await server.admin()
  const colleagues = [await server.person("Ana"), await server.person("Bruno")] as const
  const zoe = await server.person("Zoëtrope Nadel", { email: "z.nadel@first.example" })
  const path = `/transaction/${encodeURIComponent(zoe.username)}/`
  for (const person of [...colleagues, zoe]) await server.grant(person, 500)
  for (let round = 0; round < 40; round += 1) {
    const post = { value: 1, reason: `trace-written-${round} ${"w".repeat(round * 9)}` }
    await zoe.call("POST", "/transaction/ana/", { json: post, headers: { "idempotency-key": `trace-key-${round}` } })
    await colleagues[0].post(path, { value: 1, reason: `trace-received-${round} ${"r".repeat(round * 11)}` })
    await colleagues[1].post("/transaction/ana/", { value: 1, reason: `kept-${round}` })
  }
  await zoe.post("/api/v1/recognitions/5/replies", { text: "trace-of-a-reply" })
  await zoe.call("PUT", "/api/v1/me/avatar", { body: pngOf({ text: "trace-of-a-picture" }) })
  await zoe.patch("/api/v1/me", { name: "Trace Ofaname", bio: "trace-of-a-bio" })
  await zoe.patch("/api/v1/me", { name: "Zoëtrope Nadel" })
  await server.withSession(zoe)
  await server.anybody.submit("/token", { username: zoe.username, password: "wrong" })
  await server.anybody.submit("/token", { username: zoe.username, password: "wrong" })
  await admin.patch(`/api/v1/users/${encodeURIComponent(zoe.username)}`, { email: "z.nadel@second.example" })
  await server.anybody.post("/user/pwd_reset_token/", { email: "Z.NADEL@second.example" })
  await housekeeping(server)
  return { admin, colleagues, zoe, account: `/api/v1/users/${encodeURIComponent(zoe.username)}` }
}

export async function housekeeping({ app, clock }: TestServer) {
  for (const task of app.housekeeping) await task(clock.now())
}

export const traces = [
  "zoëtrope",
  "nadel",
  "trace-of",
  "trace ofaname",
  "trace-written",
  "trace-received",
  "trace-key",
  "trace-of-a-reply",
]
