import { expect, spyOn, test } from "bun:test"
import type { ServerApp } from "../../src/app/server-app.ts"
import { bearer } from "../support/credentials.ts"
import { startTestServer, type TestServer } from "../support/server.ts"
import { until } from "../support/until.ts"

type Store = ServerApp["store"]

/** Waits for the end of the signal, as a long read does. */
function lasting(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal?.addEventListener("abort", () => reject(signal.reason))
  return promise
}

/** Replaces a read of the store by one that lasts. */
const page = ({ ledger }: Store) => spyOn(ledger, "page").mockImplementation(({ signal }) => lasting(signal))
const pageWithBalance = ({ ledger }: Store) =>
  spyOn(ledger, "pageWithBalance").mockImplementation((_userId, { signal }) => lasting(signal))
const entries = ({ ledger }: Store) => spyOn(ledger, "entries").mockImplementation(({ signal }) => lasting(signal))
const newest = ({ recognitions }: Store) =>
  spyOn(recognitions, "newest").mockImplementation(({ signal }) => lasting(signal))
const found = ({ people }: Store) => spyOn(people, "search").mockImplementation(({ signal }) => lasting(signal))
const days = ({ statistics }: Store) =>
  spyOn(statistics, "daysOf").mockImplementation((_id, _first, _days, signal) => lasting(signal))
const provisioned = ({ provisioned }: Store) =>
  spyOn(provisioned, "page").mockImplementation((_skip, _limit, signal) => lasting(signal))
const insight = (name: "participation" | "departments" | "tags" | "people") => (store: Store) =>
  spyOn(store.insights, name).mockImplementation((_days, signal) => lasting(signal))

const team = (store: Store) => {
  spyOn(store.users, "reportsOf").mockImplementation(async () => [1])
  return spyOn(store.insights, "ofPeople").mockImplementation((_ids, _days, signal) => lasting(signal))
}

const recap = ({ insights }: Store) =>
  spyOn(insights, "recap").mockImplementation((_id, _days, signal) => lasting(signal))

const reads = [
  ["/transaction/", page],
  ["/transaction/admin/", pageWithBalance],
  ["/api/v1/transactions", entries],
  ["/api/v1/feed", newest],
  ["/api/v1/people", found],
  ["/api/v1/stats?scope=own", days],
  ["/api/v1/insights/participation", insight("participation")],
  ["/api/v1/insights/overlooked", insight("people")],
  ["/api/v1/insights/budgets", insight("people")],
  ["/api/v1/insights/departments", insight("departments")],
  ["/api/v1/insights/tags", insight("tags")],
  ["/api/v1/insights/tags.csv", insight("tags")],
  ["/api/v1/team", team],
  ["/api/v1/recap", recap],
  ["/api/v1/recap/company", recap],
  ["/scim/v2/Users", provisioned],
] as const

test.each(reads)("GET %s ends when its client has gone, and is logged with status 499", async (path, replaced) => {
  await using server = await startTestServer()
  const headers = path.startsWith("/scim") ? await directory(server) : (await server.admin()).credentials
  const read = replaced(server.app.store)
  const before = server.logged().length
  const client = new AbortController()
  const answer = fetch(server.url + path, { headers, signal: client.signal })
  answer.catch(() => {})
  await until(() => read.mock.calls.length === 1)

  client.abort()
  await until(() => server.logged().length > before)
  const lines = server.logged().slice(before)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "info", message: "request", method: "GET", path: path.replace(/\?.*/, ""), status: 499 },
  ])
})

test("128 searches stop when their clients have gone", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  const { ledger, recognitions } = server.app.store
  const [sender, receiver] = await Promise.all(["admin", "ana"].map((name) => server.app.access.toReceiver(name)))
  const notes = 2000
  const note = { reason: "for your help", tags: [], isPrivate: false }
  const transfer = {
    kind: "transfer",
    senderId: sender?.id ?? 0,
    receiverId: receiver?.id ?? 0,
    value: 1,
    date: 0,
  } as const
  await Promise.all(Array.from({ length: notes }, () => ledger.post({ ...transfer, note }, () => {})))
  let compared = 0
  const { newest } = recognitions
  spyOn(recognitions, "newest").mockImplementation(({ noteMatches, ...query }) => {
    const counted: typeof noteMatches = (transaction) => {
      compared += 1
      return noteMatches?.(transaction) ?? true
    }
    return newest({ ...query, noteMatches: counted })
  })
  const clients = new AbortController()
  const before = server.logged().length
  const searches = Array.from({ length: 128 }, (_, index) => {
    const headers = (index % 2 === 0 ? admin : ana).credentials
    return fetch(`${server.url}/api/v1/feed?q=nothing`, { headers, signal: clients.signal })
  })
  for (const one of searches) one.catch(() => {})
  await until(() => compared > 0)

  clients.abort()
  await until(() => server.logged().length === before + searches.length)
  expect(compared).toBeLessThan((searches.length * notes) / 2)
  expect(server.logged().slice(before).join("\n")).not.toContain("unexpected")
})

/** A directory, which alone may read over SCIM. */
async function directory(server: TestServer) {
  const admin = await server.admin()
  const request = { name: "Directory", scopes: ["admin"], username: "admin" }
  const { body } = await admin.post<{ token: string }>("/api/v1/service-tokens", request)
  return bearer(body.token)
}
