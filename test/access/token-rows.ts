import { refused } from "../support/answers.ts"
import type { Answer } from "../support/client.ts"
import type { Endpoint } from "./endpoint.ts"

const is = (answer: Answer, status: number) => (answer.status === status ? String(status) : null)
const request = { name: "Script", scopes: ["read"] }

/** The rows about API tokens. */
export const tokenRows: Readonly<Record<string, Endpoint>> = {
  "GET /api/v1/tokens": { ask: ({ call }) => call("GET", "/api/v1/tokens"), done: (answer) => is(answer, 200) },
  "POST /api/v1/tokens": {
    ask: ({ call }) => call("POST", "/api/v1/tokens", { json: request }),
    done: (answer) => is(answer, 201),
  },
  "DELETE /api/v1/tokens/{id}": {
    word: "404",
    ask: ({ call }) => call("DELETE", "/api/v1/tokens/0"),
    done: (answer) => (Bun.deepEquals(answer, refused(404, "Token not found")) ? "404" : null),
  },
  "GET /api/v1/service-tokens": {
    ask: ({ call }) => call("GET", "/api/v1/service-tokens"),
    done: (answer) => is(answer, 200),
  },
  "POST /api/v1/service-tokens": {
    ask: ({ call }) => call("POST", "/api/v1/service-tokens", { json: { ...request, username: "bruno" } }),
    done: (answer) => is(answer, 201),
  },
  "DELETE /api/v1/service-tokens/{id}": {
    ask: async ({ call, setup }) =>
      call("DELETE", `/api/v1/service-tokens/${(await setup.newServiceToken(setup.carla, ["read"])).id}`),
    done: (answer) => is(answer, 200),
  },
}
