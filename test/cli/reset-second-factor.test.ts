import { expect, test } from "bun:test"
import { startTestServer } from "../support/server.ts"
import { done, operator, refused } from "./operator.ts"

test("removes the second factors of a user and logs that user out, in a running server at once", async () => {
  await using server = await startTestServer()
  await using operates = await operator()
  const ana = await server.person("Ana")
  const { store } = server.app
  const { id = 0 } = (await store.users.byUsername("ana")) ?? {}
  const factor = { kind: "totp", name: "Phone", credentialId: null, transports: null, key: "k" } as const
  const entry = { at: 1, action: "second_factor_added", who: null, whom: null, way: "http" } as const
  await store.secondFactors.add(
    id,
    { ...factor, counter: 1, createdAt: 1 },
    { session: null, token: null },
    { ...entry, address: null, count: 1, detail: null },
  )
  const login = () => server.anybody.submit("/login", { username: "ana", password: ana.password })
  expect((await login()).status).toBe(202)
  const types = (...args: string[]) =>
    operates.types([...args, "--db", server.app.config.db.path], { now: server.clock.now })

  expect(await types("reset-second-factor", "ana")).toEqual(
    done("Removed 1 second factor of ana; all sessions and tokens of this user have ended"),
  )

  expect((await login()).status).toBe(200)
  expect((await ana.get("/api/v1/me")).status).toBe(401)
  expect(await store.audit.list({ action: "second_factors_reset", limit: 9 })).toMatchObject([
    { whom: "ana", way: "command line" },
  ])
  expect(await types("reset-second-factor", "nobody")).toEqual(refused("User not found: nobody"))
})
