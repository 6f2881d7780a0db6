import { type Answer, createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import type { Call, Endpoint } from "./endpoint.ts"
import type { Setup } from "./setup.ts"

const is = (answer: Answer, status: number) => (answer.status === status ? String(status) : null)
const done = (answer: Answer) => is(answer, 200)
const created = (answer: Answer) => is(answer, 201)

/** Paused, so that nothing is paid unless a request asks for it. */
const budget = {
  name: "Budget",
  value: 1,
  mode: "add",
  period: "month",
  audience: { usernames: ["carla"] },
  active: false,
}

async function newAllowance({ urls, admin, logIn }: Setup): Promise<number> {
  const { access_token } = await logIn(admin)
  const { body } = await createClient(urls.open, bearer(access_token)).post<{ id: number }>(
    "/api/v1/allowances",
    budget,
  )
  return body.id
}

const shared = new WeakMap<Setup, Promise<number>>()
/** The id of an allowance that all requests share which do not change it. */
function allowance(setup: Setup): Promise<number> {
  const id = shared.get(setup) ?? newAllowance(setup)
  shared.set(setup, id)
  return id
}

const to =
  (method: string, path = "", json?: object) =>
  async ({ setup, call }: Call) =>
    call(method, `/api/v1/allowances/${await allowance(setup)}${path}`, json && { json })

const rows: Readonly<Record<string, Endpoint>> = {
  "GET /api/v1/allowances": { ask: ({ call }) => call("GET", "/api/v1/allowances"), done },
  "POST /api/v1/allowances": { ask: ({ call }) => call("POST", "/api/v1/allowances", { json: budget }), done: created },
  "GET /api/v1/allowances/{id}": { ask: to("GET"), done },
  "PATCH /api/v1/allowances/{id}": { ask: to("PATCH", "", { value: 2 }), done },
  "DELETE /api/v1/allowances/{id}": {
    ask: async ({ setup, call }) => call("DELETE", `/api/v1/allowances/${await newAllowance(setup)}`),
    done,
  },
  "GET /api/v1/allowances/{id}/preview": { ask: to("GET", "/preview"), done },
  "GET /api/v1/allowances/{id}/runs": { ask: to("GET", "/runs"), done },
  "POST /api/v1/allowances/{id}/run": {
    ask: async ({ setup, call }) => call("POST", `/api/v1/allowances/${await newAllowance(setup)}/run`),
    done: created,
    writes: true,
  },
}

/** The rows about allowances. */
export const allowanceRows = Object.fromEntries(
  Object.entries(rows).map(([name, row]): [string, Endpoint] => [name, { ...row }]),
)
