import { insightNames } from "../../src/domain/recognition/insights.ts"
import { refused } from "../support/answers.ts"
import { everybodysPassword } from "../support/cheap-passwords.ts"
import type { Answer } from "../support/client.ts"
import { pngOf } from "../support/pictures.ts"
import { type Endpoint, moreFor, moreForSuperusers } from "./endpoint.ts"

const is = (answer: Answer, status: number) => (answer.status === status ? String(status) : null)
const ofScope = ({ status, body }: Answer) =>
  status === 200 ? `200${Bun.deepMatch({ scope: "all" }, body) ? "+" : ""}` : null
const done = (answer: Answer) => is(answer, 200)

/** Whether the list names Lea, or her department, in which nobody else is. */
const withLeaver = ({ status, body }: Answer) =>
  status === 200 ? `200${/"lea"|"former"/.test(JSON.stringify(body)) ? "+" : ""}` : null

/** The rows of /api/v1 about the caller and other people. */
export const peopleRows: Readonly<Record<string, Endpoint>> = {
  "GET /api/v1/service": { ask: ({ call }) => call("GET", "/api/v1/service"), done },
  "GET /api/v1/session": {
    ask: ({ call }) => call("GET", "/api/v1/session"),
    done: ({ status, body }) => (status === 200 ? `200${body === null ? "" : "+"}` : null),
    word: ({ who }) => (who === null ? "200" : "200+"),
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
    ask: ({ call }) => call("PUT", "/api/v1/me/avatar", { body: pngOf({ text: crypto.randomUUID() }) }),
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
    word: "404",
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
    word: "404",
    ask: ({ call }) => call("DELETE", "/api/v1/me/sessions/none"),
    done: (answer) => (Bun.deepEquals(answer, refused(404, "Session not found")) ? "404" : null),
  },
  "GET /api/v1/me/push": { ask: ({ call }) => call("GET", "/api/v1/me/push"), done },
  "POST /api/v1/me/push": {
    word: "422",
    ask: ({ call }) => call("POST", "/api/v1/me/push", { json: {} }),
    done: (answer) => (answer.status === 422 ? "422" : null),
  },
  "DELETE /api/v1/me/push/{id}": {
    word: "404",
    ask: ({ call }) => call("DELETE", "/api/v1/me/push/1"),
    done: (answer) => (Bun.deepEquals(answer, refused(404, "Device not found")) ? "404" : null),
  },
  "GET /api/v1/me/second-factors": { ask: ({ call }) => call("GET", "/api/v1/me/second-factors"), done },
  "POST /api/v1/me/passkeys/options": {
    word: "409",
    ask: ({ call }) => call("POST", "/api/v1/me/passkeys/options"),
    done: (answer) => (answer.status === 409 ? "409" : null),
  },
  "POST /api/v1/me/passkeys": {
    word: "422",
    ask: ({ call }) => call("POST", "/api/v1/me/passkeys", { json: {} }),
    done: (answer) => (answer.status === 422 ? "422" : null),
  },
  "POST /api/v1/me/totp": { ask: ({ call }) => call("POST", "/api/v1/me/totp"), done },
  "POST /api/v1/me/totp/confirmation": {
    word: "422",
    ask: ({ call }) => call("POST", "/api/v1/me/totp/confirmation", { json: { code: "" } }),
    done: (answer) => (answer.status === 422 ? "422" : null),
  },
  "DELETE /api/v1/me/second-factors/{id}": {
    word: "404",
    ask: ({ call }) => call("DELETE", "/api/v1/me/second-factors/1"),
    done: (answer) => (Bun.deepEquals(answer, refused(404, "Second factor not found")) ? "404" : null),
  },
  "POST /api/v1/me/recovery-codes": {
    word: "409",
    ask: ({ call }) => call("POST", "/api/v1/me/recovery-codes"),
    done: (answer) => (Bun.deepEquals(answer, refused(409, "There is no second factor yet")) ? "409" : null),
  },
  "GET /api/v1/people": { ask: ({ call }) => call("GET", "/api/v1/people"), done },
  "GET /api/v1/people?active": {
    word: moreFor("people"),
    ask: ({ call }) => call("GET", "/api/v1/people?active=false"),
    done: withLeaver,
  },
  "GET /api/v1/departments?active": {
    word: moreFor("people", "programme"),
    ask: ({ call }) => call("GET", "/api/v1/departments?active=false"),
    done: withLeaver,
  },
  "GET /api/v1/departments": { ask: ({ call }) => call("GET", "/api/v1/departments"), done },
  // A dry run, and not Ana's own department.
  "PATCH /api/v1/departments/{name}": {
    ask: ({ call }) => call("PATCH", "/api/v1/departments/support?dry_run=true", { json: { name: "growth" } }),
    done,
  },
  "GET /api/v1/people/{username}": { ask: ({ call, target }) => call("GET", `/api/v1/people/${target}`), done },
  "GET /api/v1/team": { ask: ({ call }) => call("GET", "/api/v1/team"), done },
  "GET /api/v1/recap": { ask: ({ call }) => call("GET", "/api/v1/recap?period=2026"), done },
  "GET /api/v1/recap/company": { ask: ({ call }) => call("GET", "/api/v1/recap/company?period=2026"), done },
  "GET /api/v1/recap.png": { ask: ({ call }) => call("GET", "/api/v1/recap.png?period=2026"), done },
  "GET /api/v1/recap/company.png": { ask: ({ call }) => call("GET", "/api/v1/recap/company.png?period=2026"), done },
  "GET /api/v1/leaderboard": { ask: ({ call }) => call("GET", "/api/v1/leaderboard"), done },
  "GET /api/v1/stats": { ask: ({ call }) => call("GET", "/api/v1/stats"), done: ofScope, word: moreForSuperusers },
  "GET /api/v1/stats?scope=all": {
    word: ({ who }) => (who === "admin" ? "200+" : "403"),
    ask: ({ call }) => call("GET", "/api/v1/stats?scope=all"),
    done: ofScope,
  },
  ...Object.fromEntries(
    insightNames
      .map((name): string => name)
      .concat("outstanding", "outstanding/monthly")
      .flatMap((name) => [`/api/v1/insights/${name}`, `/api/v1/insights/${name}.csv`])
      .map((path) => [`GET ${path}`, { ask: ({ call }) => call("GET", path), done }]),
  ),
  "POST /api/v1/users": {
    ask: ({ call }) => {
      const username = crypto.randomUUID()
      return call("POST", "/api/v1/users", {
        json: { name: "Davi", username, email: `${username}@example.com`, dept: "sales" },
      })
    },
    done: (answer) => is(answer, 201),
    writes: true,
  },
  "GET /api/v1/users/{username}": {
    ask: ({ call, target }) => call("GET", `/api/v1/users/${target}`),
    done,
  },
  "PATCH /api/v1/users/{username}": {
    ask: ({ call, target }) => call("PATCH", `/api/v1/users/${target}`, { json: { dept: crypto.randomUUID() } }),
    done,
    writes: true,
  },
  "POST /api/v1/users/invitations": { ask: ({ call }) => call("POST", "/api/v1/users/invitations"), done },
  "POST /api/v1/users/{username}/invitation": {
    // Refused even for a superuser, because everybody here has a password.
    ask: ({ call, target }) => call("POST", `/api/v1/users/${target}/invitation`),
    done: (answer) => (answer.status === 409 ? "200" : null),
  },
  "POST /api/v1/users/{username}/erasure": {
    // Refused even for a superuser, because everybody here is active.
    ask: ({ call, target }) => call("POST", `/api/v1/users/${target}/erasure`, { json: { reasons: "none" } }),
    done: (answer) => (Bun.deepEquals(answer, refused(409, "Deactivate the account first")) ? "200" : null),
  },
  "DELETE /api/v1/users/{username}/second-factors": {
    ask: ({ call, target }) => call("DELETE", `/api/v1/users/${target}/second-factors`),
    done,
    writes: true,
    ends: "target",
  },
  "GET /api/v1/users/{username}/data": {
    ask: ({ call, target }) => call("GET", `/api/v1/users/${target}/data`),
    done,
  },
  "GET /api/v1/health": { ask: ({ call }) => call("GET", "/api/v1/health"), done },
}
