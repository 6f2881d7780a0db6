import { randomBytes } from "node:crypto"
import { insightNames } from "../../src/domain/recognition/insights.ts"
import { refused } from "../support/answers.ts"
import { everybodysPassword } from "../support/cheap-passwords.ts"
import type { Answer } from "../support/client.ts"
import type { Endpoint } from "./endpoint.ts"

const is = (answer: Answer, status: number) => (answer.status === status ? String(status) : null)
const ofScope = ({ status, body }: Answer) =>
  status === 200 ? `200${Bun.deepMatch({ scope: "all" }, body) ? "+" : ""}` : null
const done = (answer: Answer) => is(answer, 200)

/** The rows of /api/v1 about the caller and other people. */
export const peopleRows: Readonly<Record<string, Endpoint>> = {
  "GET /api/v1/service": { ask: ({ call }) => call("GET", "/api/v1/service"), done },
  "GET /api/v1/session": {
    ask: ({ call }) => call("GET", "/api/v1/session"),
    done: ({ status, body }) => (status === 200 ? `200${body === null ? "" : "+"}` : null),
  },
  "GET /api/v1/me": { ask: ({ call }) => call("GET", "/api/v1/me"), done },
  "PATCH /api/v1/me": {
    ask: ({ call }) => call("PATCH", "/api/v1/me", { json: { bio: crypto.randomUUID() } }),
    done,
    writes: true,
  },
  "POST /api/v1/me/password": {
    ask: ({ call }) =>
      call("POST", "/api/v1/me/password", {
        json: {
          current_password: everybodysPassword,
          password: everybodysPassword,
          password_confirm: everybodysPassword,
        },
      }),
    done,
    writes: true,
    ends: "everything",
  },
  "PUT /api/v1/me/avatar": {
    ask: ({ call }) =>
      call("PUT", "/api/v1/me/avatar", { body: new Uint8Array([0xff, 0xd8, 0xff, ...randomBytes(9)]) }),
    done,
    writes: true,
  },
  "DELETE /api/v1/me/avatar": {
    ask: async ({ call }) => {
      await call("PATCH", "/api/v1/me", { json: { avatar: "https://example.com/a.png", bio: crypto.randomUUID() } })
      return call("DELETE", "/api/v1/me/avatar")
    },
    done,
    writes: true,
  },
  "GET /api/v1/suggestions": { ask: ({ call }) => call("GET", "/api/v1/suggestions"), done },
  "GET /api/v1/me/templates": { ask: ({ call }) => call("GET", "/api/v1/me/templates"), done },
  "PUT /api/v1/me/templates": {
    ask: ({ call }) => call("PUT", "/api/v1/me/templates", { json: { items: ["For the review"] } }),
    done,
  },
  "GET /api/v1/avatars/{hash}": {
    ask: ({ call }) => call("GET", `/api/v1/avatars/${"0".repeat(64)}`),
    done: (answer) => (Bun.deepEquals(answer, refused(404, "Not Found")) ? "404" : null),
  },
  "GET /api/v1/me/sessions": { ask: ({ call }) => call("GET", "/api/v1/me/sessions"), done },
  "DELETE /api/v1/me/sessions": {
    ask: ({ call }) => call("DELETE", "/api/v1/me/sessions"),
    done,
    writes: true,
    ends: "everything",
  },
  "DELETE /api/v1/me/sessions/{session}": {
    ask: ({ call }) => call("DELETE", "/api/v1/me/sessions/none"),
    done: (answer) => (Bun.deepEquals(answer, refused(404, "Session not found")) ? "404" : null),
  },
  "GET /api/v1/me/second-factors": { ask: ({ call }) => call("GET", "/api/v1/me/second-factors"), done },
  "POST /api/v1/me/passkeys/options": {
    ask: ({ call }) => call("POST", "/api/v1/me/passkeys/options"),
    done: (answer) => (answer.status === 409 ? "409" : null),
  },
  "POST /api/v1/me/passkeys": {
    ask: ({ call }) => call("POST", "/api/v1/me/passkeys", { json: {} }),
    done: (answer) => (answer.status === 422 ? "422" : null),
  },
  "POST /api/v1/me/totp": { ask: ({ call }) => call("POST", "/api/v1/me/totp"), done },
  "POST /api/v1/me/totp/confirmation": {
    ask: ({ call }) => call("POST", "/api/v1/me/totp/confirmation", { json: { code: "" } }),
    done: (answer) => (answer.status === 422 ? "422" : null),
  },
  "DELETE /api/v1/me/second-factors/{id}": {
    ask: ({ call }) => call("DELETE", "/api/v1/me/second-factors/1"),
    done: (answer) => (Bun.deepEquals(answer, refused(404, "Second factor not found")) ? "404" : null),
  },
  "POST /api/v1/me/recovery-codes": {
    ask: ({ call }) => call("POST", "/api/v1/me/recovery-codes"),
    done: (answer) => (Bun.deepEquals(answer, refused(409, "There is no second factor yet")) ? "409" : null),
  },
  "GET /api/v1/people": { ask: ({ call }) => call("GET", "/api/v1/people"), done },
  "GET /api/v1/departments": { ask: ({ call }) => call("GET", "/api/v1/departments"), done },
  // A dry run, because all people of the table are in this department.
  "PATCH /api/v1/departments/{name}": {
    ask: ({ call }) => call("PATCH", "/api/v1/departments/sales?dry_run=true", { json: { name: "growth" } }),
    done,
    forbidden: "Not a super user",
  },
  "GET /api/v1/people/{username}": { ask: ({ call, target }) => call("GET", `/api/v1/people/${target}`), done },
  "GET /api/v1/leaderboard": { ask: ({ call }) => call("GET", "/api/v1/leaderboard"), done },
  "GET /api/v1/stats": { ask: ({ call }) => call("GET", "/api/v1/stats"), done: ofScope },
  "GET /api/v1/stats?scope=all": {
    ask: ({ call }) => call("GET", "/api/v1/stats?scope=all"),
    done: ofScope,
    forbidden: "Not a super user",
  },
  ...Object.fromEntries(
    insightNames
      .flatMap((name) => [`/api/v1/insights/${name}`, `/api/v1/insights/${name}.csv`])
      .map((path) => [`GET ${path}`, { ask: ({ call }) => call("GET", path), done, forbidden: "Not a super user" }]),
  ),
  "GET /api/v1/users/{username}": {
    ask: ({ call, target }) => call("GET", `/api/v1/users/${target}`),
    done,
    forbidden: "Not a super user",
  },
  "PATCH /api/v1/users/{username}": {
    ask: ({ call, target }) => call("PATCH", `/api/v1/users/${target}`, { json: { dept: crypto.randomUUID() } }),
    done,
    writes: true,
    forbidden: "Not a super user",
  },
  "POST /api/v1/users/{username}/erasure": {
    // Refused even for a superuser, because everybody in the table is active.
    ask: ({ call, target }) => call("POST", `/api/v1/users/${target}/erasure`, { json: { reasons: "none" } }),
    done: (answer) => (Bun.deepEquals(answer, refused(409, "Deactivate the account first")) ? "200" : null),
    forbidden: "Not a super user",
  },
  "DELETE /api/v1/users/{username}/second-factors": {
    ask: ({ call, target }) => call("DELETE", `/api/v1/users/${target}/second-factors`),
    done,
    forbidden: "Not a super user",
    writes: true,
    ends: "target",
  },
  "GET /api/v1/users/{username}/data": {
    ask: ({ call, target }) => call("GET", `/api/v1/users/${target}/data`),
    done,
    forbidden: "You can only see your own data",
  },
  "GET /api/v1/health": { ask: ({ call }) => call("GET", "/api/v1/health"), done, forbidden: "Not a super user" },
}
