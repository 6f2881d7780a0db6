import { expect, test } from "bun:test"
import { refused } from "../support/answers.ts"
import { createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { startTestServer } from "../support/server.ts"

const rule = "at most 8 accents or other marks on one letter"
/** A word with so many marks on its last letter. */
const stacked = (marks: number) => `Hi${"\u0301\u0316".repeat(marks / 2)}`

test("no text with more than eight marks on one letter enters, by any field", async () => {
  await using server = await startTestServer({ settings: { "webhooks.allow_private": "127.0.0.0/8" } })
  const ana = await server.person("Ana")
  await server.person("Bruno")
  const admin = await server.admin()
  const service = { name: "Directory", scopes: ["admin"], username: "admin" }
  const { token } = (await admin.post<{ token: string }>("/api/v1/service-tokens", service)).body
  const directory = createClient(server.url, bearer(token))
  await admin.post("/api/v1/rewards", { name: "Mug", cost: 1 })
  await admin.post("/api/v1/grants", { usernames: ["ana"], value: 100 })
  await ana.post("/api/v1/transactions", { to: "bruno", value: 10 })
  const { body: feed } = await ana.get<{ items: { id: number }[] }>("/api/v1/feed")
  const newcomer = { name: "Zoe", email: "zoe@example.com", dept: "sales", password: "a password" }
  const allowance = { name: "Budget", value: 1, mode: "add", period: "month", audience: { everyone: true } }

  const entries: Record<string, (text: string) => Promise<{ status: number; body: unknown }>> = {
    name: (name) => admin.post("/user/", { ...newcomer, username: "zoe", name }),
    username: (username) => admin.post("/user/", { ...newcomer, username, email: "una@example.com" }),
    dept: (dept) => admin.patch("/api/v1/users/ana", { dept }),
    bio: (bio) => ana.patch("/api/v1/me", { bio }),
    reason: (reason) => ana.post("/transaction/bruno/", { value: 1, reason }),
    "reason of several": (reason) => ana.post("/api/v1/transactions", { to: "bruno", value: 1, reason }),
    "reason of a grant": (reason) => admin.post("/api/v1/grants", { usernames: ["ana"], value: 1, reason }),
    "reason of a template": (reason) => ana.call("PUT", "/api/v1/me/templates", { json: { items: [reason] } }),
    text: (text) => ana.post(`/api/v1/recognitions/${feed.items[0]?.id}/replies`, { text }),
    "name of a reward": (name) => admin.post("/api/v1/rewards", { name, cost: 1 }),
    "description of a reward": (description) => admin.post("/api/v1/rewards", { name: "Pen", cost: 1, description }),
    "name of an allowance": (name) => admin.post("/api/v1/allowances", { ...allowance, name }),
    "description of a webhook": (description) =>
      admin.post("/api/v1/webhooks", { url: "https://127.0.0.1/", description }),
    "name of a token": (name) => ana.post("/api/v1/tokens", { name, scopes: ["read"] }),
    "name by SCIM": (displayName) => directory.post("/scim/v2/Users", { userName: "yan@example.com", displayName }),
    "externalId by SCIM": (externalId) => directory.post("/scim/v2/Users", { userName: "yas@example.com", externalId }),
  }
  for (const [field, send] of Object.entries(entries)) {
    const { status, body } = await send(stacked(10))
    const detail = typeof body === "string" ? JSON.parse(body) : body
    expect({ field, status, detail: detail.detail }).toEqual({
      field,
      status: field.endsWith("SCIM") ? 400 : 422,
      detail: `${field.split(" ")[0]}: ${rule}`,
    })
    const accepted = (await send(stacked(8))).status
    expect({ field, accepted: accepted === 200 || accepted === 201 }).toEqual({ field, accepted: true })
  }

  const file = `username,name,email,dept\nxu,${stacked(10)},xu@example.com,sales\n`
  const headers = { "content-type": "text/csv" }
  expect(await admin.call("POST", "/api/v1/users/import", { body: file, headers })).toEqual(
    refused(422, `row 2, name: ${rule}`),
  )
})

test("whoever has such a name from before can still be moved to another department", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const admin = await server.admin()
  const stored = await server.app.store.users.byUsername(ana.username)
  await server.app.store.users.correct(stored?.id ?? 0, { name: stacked(10) }, [])

  expect(await admin.patch("/api/v1/users/ana", { dept: "support" })).toMatchObject({ status: 200 })
  expect(await admin.patch("/api/v1/users/ana", { name: stacked(12) })).toEqual(refused(422, `name: ${rule}`))
})
