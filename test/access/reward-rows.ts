import type { Answer } from "../support/client.ts"
import { pngOf } from "../support/pictures.ts"
import { type Endpoint, moreFor } from "./endpoint.ts"

const done = ({ status }: Answer) => (status === 200 || status === 201 ? String(status) : null)

const answering = (path: string): Endpoint => ({
  ask: async ({ call, setup }) => call("POST", `/api/v1/redemptions/${await setup.openRedemption()}/${path}`),
  done,
  writes: true,
})

/** The rows about rewards and the programme. */
export const rewardRows: Readonly<Record<string, Endpoint>> = {
  "GET /api/v1/programme": { ask: ({ call }) => call("GET", "/api/v1/programme"), done },
  "PATCH /api/v1/programme": {
    ask: ({ call }) =>
      call("PATCH", "/api/v1/programme", { json: { points_name: { one: crypto.randomUUID().slice(0, 8) } } }),
    done,
    writes: true,
  },
  "GET /api/v1/rewards": {
    word: moreFor("rewards"),
    ask: ({ call }) => call("GET", "/api/v1/rewards"),
    done: ({ status, body }) => {
      const { items } = body as { items: { wishes: number | null }[] }
      return status === 200 ? `200${items.some(({ wishes }) => wishes !== null) ? "+" : ""}` : null
    },
  },
  "POST /api/v1/rewards": {
    ask: ({ call }) => call("POST", "/api/v1/rewards", { json: { name: "Lunch", cost: 5 } }),
    done,
    writes: true,
  },
  "PATCH /api/v1/rewards/{id}": {
    ask: ({ call }) => call("PATCH", "/api/v1/rewards/1", { json: { description: crypto.randomUUID() } }),
    done,
    writes: true,
  },
  "PUT /api/v1/rewards/{id}/picture": {
    ask: ({ call }) => call("PUT", "/api/v1/rewards/1/picture", { body: pngOf({ text: crypto.randomUUID() }) }),
    done,
    writes: true,
  },
  "PUT /api/v1/rewards/{id}/wish": { ask: ({ call }) => call("PUT", "/api/v1/rewards/1/wish"), done },
  "DELETE /api/v1/rewards/{id}/wish": {
    ask: ({ call }) => call("DELETE", "/api/v1/rewards/1/wish"),
    done,
  },
  "POST /api/v1/rewards/{id}/redemptions": {
    // The superuser is admin, whose balance is below zero.
    word: ({ who }) => (who === "admin" ? "400" : "201"),
    ask: ({ call }) => call("POST", "/api/v1/rewards/1/redemptions", { json: {} }),
    done,
    writes: true,
  },
  "GET /api/v1/redemptions": {
    word: moreFor("rewards"),
    ask: ({ call }) => call("GET", "/api/v1/redemptions"),
    done: ({ status, body }) => {
      const { items } = body as { items: { username: string }[] }
      return status === 200 ? `200${items.some(({ username }) => username === "carla") ? "+" : ""}` : null
    },
  },
  "POST /api/v1/redemptions/{id}/fulfilment": answering("fulfilment"),
  "POST /api/v1/redemptions/{id}/rejection": answering("rejection"),
  "GET /api/v1/redemptions.csv": { ask: ({ call }) => call("GET", "/api/v1/redemptions.csv"), done },
}
