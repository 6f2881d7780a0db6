import { type Answer, type Client, createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { until } from "../support/until.ts"
import type { Call, Endpoint } from "./endpoint.ts"
import type { Setup } from "./setup.ts"

const is = (answer: Answer, status: number) => (answer.status === status ? String(status) : null)
const done = (answer: Answer) => is(answer, 200)
const created = (answer: Answer) => is(answer, 201)

/** The URL of a webhook where nothing listens. */
const hook = { url: "http://127.0.0.1:9/" }

const asAdmin = async ({ urls, admin, logIn }: Setup): Promise<Client> =>
  createClient(urls.open, bearer((await logIn(admin)).access_token))

async function newWebhook(setup: Setup): Promise<number> {
  const { body } = await (await asAdmin(setup)).post<{ id: number }>("/api/v1/webhooks", { ...hook, active: false })
  return body.id
}

/** Creates a webhook with a delivery that failed. */
async function withDelivery(setup: Setup): Promise<{ readonly webhook: number; readonly delivery: number }> {
  const admin = await asAdmin(setup)
  const { id } = (await admin.post<{ id: number }>("/api/v1/webhooks", hook)).body
  await admin.post(`/api/v1/webhooks/${id}/replay`, { since: "2020-01-01T00:00:00Z" })
  let delivery = 0
  await until(async () => {
    const { body } = await admin.get<{ items: { id: number }[] }>(`/api/v1/webhooks/${id}/deliveries`)
    delivery = body.items[0]?.id ?? 0
    return delivery > 0
  })
  await admin.patch(`/api/v1/webhooks/${id}`, { active: false })
  return { webhook: id, delivery }
}

const shared = new WeakMap<Setup, ReturnType<typeof withDelivery>>()
/** The ids of a webhook and a delivery that all requests share which do not change them. */
function ids(setup: Setup) {
  const found = shared.get(setup) ?? withDelivery(setup)
  shared.set(setup, found)
  return found
}

const to =
  (method: string, path = "", json?: object) =>
  async ({ setup, call }: Call) =>
    call(method, `/api/v1/webhooks/${(await ids(setup)).webhook}${path}`, json && { json })

const rows: Readonly<Record<string, Endpoint>> = {
  "GET /api/v1/webhooks": { ask: ({ call }) => call("GET", "/api/v1/webhooks"), done },
  "POST /api/v1/webhooks": {
    async ask({ setup, call }) {
      const answer = await call<{ id?: number }>("POST", "/api/v1/webhooks", { json: { ...hook, active: false } })
      // Deletes the webhook again, because the number of webhooks is limited.
      if (answer.status === 201) await (await asAdmin(setup)).delete(`/api/v1/webhooks/${answer.body.id}`)
      return answer
    },
    done: created,
  },
  "GET /api/v1/webhooks/{id}": { ask: to("GET"), done },
  "PATCH /api/v1/webhooks/{id}": { ask: to("PATCH", "", { description: "for the wall" }), done },
  "DELETE /api/v1/webhooks/{id}": {
    async ask({ setup, call }) {
      const path = `/api/v1/webhooks/${await newWebhook(setup)}`
      const answer = await call("DELETE", path)
      if (answer.status !== 200) await (await asAdmin(setup)).delete(path)
      return answer
    },
    done,
  },
  "POST /api/v1/webhooks/{id}/secret": { ask: to("POST", "/secret"), done: created },
  "POST /api/v1/webhooks/{id}/test": { ask: to("POST", "/test"), done: created },
  "GET /api/v1/webhooks/{id}/deliveries": { ask: to("GET", "/deliveries"), done },
  "POST /api/v1/webhooks/{id}/replay": { ask: to("POST", "/replay", { since: "2026-01-01T00:00:00Z" }), done },
  "POST /api/v1/deliveries/{id}/replay": {
    ask: async ({ setup, call }) => call("POST", `/api/v1/deliveries/${(await ids(setup)).delivery}/replay`),
    done: created,
  },
  "POST /api/v1/deliveries/{id}/skip": {
    async ask({ setup, call }) {
      const { webhook, delivery } = await ids(setup)
      const admin = await asAdmin(setup)
      const { body } = await admin.get<{ items: { id: number }[] }>(
        `/api/v1/webhooks/${webhook}/deliveries?state=waiting`,
      )
      const waiting = body.items[0] ?? (await admin.post<{ id: number }>(`/api/v1/deliveries/${delivery}/replay`)).body
      return call("POST", `/api/v1/deliveries/${waiting.id}/skip`)
    },
    done,
  },
  "GET /api/v1/events": { ask: ({ call }) => call("GET", "/api/v1/events"), done },
}

/** The rows about webhooks and events. */
export const webhookRows = Object.fromEntries(
  Object.entries(rows).map(([name, row]): [string, Endpoint] => [name, { ...row }]),
)
