import { refused } from "../support/answers.ts"
import { everybodysPassword } from "../support/cheap-passwords.ts"
import { type Answer, createClient, handshake } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { allowanceRows } from "./allowance-rows.ts"
import { chatRows } from "./chat-rows.ts"
import type { Place } from "./credentials.ts"
import { type Asked, type Call, type Endpoint, moreForSuperusers, named } from "./endpoint.ts"
import { mailRows } from "./mail-rows.ts"
import { peopleRows } from "./people-rows.ts"
import { rewardRows } from "./reward-rows.ts"
import { scimRows } from "./scim-rows.ts"
import type { Setup } from "./setup.ts"
import { tokenRows } from "./token-rows.ts"
import { webhookRows } from "./webhook-rows.ts"

/** A text that is new at each call. */
const anew = () => crypto.randomUUID()
const samePassword = { password: everybodysPassword, password_confirm: everybodysPassword }
const form = (username: string) => ({ username, password: everybodysPassword })

/** Returns a function that says `200` (or `status`) when the answer has this status and its body holds these fields. */
const holding =
  (body: object, status = 200) =>
  (answer: Answer) =>
    Bun.deepEquals(answer.status, status) && Bun.deepMatch(body, answer.body) ? String(status) : null

const logInAnswer = refused(401, "Incorrect username or password")
const ofTarget = (answer: Answer, { target }: Call) => holding({ username: target })(answer)
const is = (answer: Answer, status: number) => (answer.status === status ? String(status) : null)

/** API tokens never change passwords. A reset token in the query counts, whoever else calls. */
const mayChangePassword =
  (place: Place) =>
  ({ who, target, credential }: Asked) => {
    const isApiToken = /^(t|s\.t)\.|^service$/.test(credential)
    if (place === "bearer" && isApiToken) return "403t"
    if (target === "unknown") return "404"
    const caller = place === "bearer" || credential.endsWith("cookie") ? who : null
    const isOwn = target === "self" && (caller === "ana" || (place === "query" && credential === "reset"))
    return caller === "admin" || isOwn ? "200" : "403"
  }

const changePassword = (place: Place): Endpoint => ({
  place,
  word: mayChangePassword(place),
  ask: ({ call, target, presented: { token } }) => {
    const query = place === "query" && token !== undefined ? `?pwd_reset_token=${token}` : ""
    return call("POST", `/user/${target}/password/${query}`, { json: samePassword })
  },
  done: ofTarget,
  forbidden: "You are not allowed to change this user's password",
  writes: true,
  ends: "target",
})

/** The id of a reply of Ana to recognition 1. Creates it if there is none. */
async function replyOfAna(setup: Setup): Promise<number> {
  const client = createClient(setup.urls.open, bearer((await setup.logIn(setup.ana)).access_token))
  const { body } = await client.get<{ replies_list: { id: number; username: string }[] }>("/api/v1/recognitions/1")
  const own = body.replies_list.find(({ username }) => username === "ana")
  return own
    ? own.id
    : (await client.post<{ id: number }>("/api/v1/recognitions/1/replies", { text: "Thank you" })).body.id
}

/** Anybody with the link from a mail may do this, so credentials do not matter. */
const unsubscribe = (method: string): Endpoint => ({
  ask: ({ call }) => call(method, "/unsubscribe"),
  done: (answer) => is(answer, 404),
  word: "404",
})

/** Browsers without a session use this, so credentials do not matter. */
const singleSignOn = (path: string): Endpoint => ({
  access: "closed",
  ask: ({ call }) => call("GET", path),
  done: (answer) => is(answer, 303),
})

/** The provider uses this, and a token in the body is all that counts. */
const backChannel: Endpoint = {
  access: "closed",
  ask: ({ call }) => call("POST", "/oidc/backchannel-logout", { form: { logout_token: "none" } }),
  done: (answer) => is(answer, 400),
  word: "400",
}

const stream = (access: "open" | "closed", path = "/transaction/ws"): Endpoint => ({
  ask: ({ setup, presented: { headers, token, query } }) =>
    handshake(setup.urls[access] + withQuery(path, query), {
      ...headers,
      ...(token !== undefined && bearer(token)),
    }),
  done: (answer) => is(answer, 101),
  access,
  word: "101",
})

const wall = (access: "open" | "closed"): Endpoint => ({
  access,
  ask: ({ call }) => call("GET", "/api/v1/wall"),
  done: (answer) => is(answer, 200),
})

const userList = (access: "open" | "closed"): Endpoint => ({
  access,
  word: moreForSuperusers,
  ask: ({ call }) => call("GET", "/user/?show_balance=true"),
  done: ({ status, body }) =>
    status === 200 && Array.isArray(body) ? `200${body.every((user) => "balance" in user) ? "+" : ""}` : null,
})

const oneUser = (access: "open" | "closed"): Endpoint => ({
  access,
  word: ({ who, target }) => {
    if (target === "unknown") return "404"
    return who === "admin" || (who === "ana" && target === "self") ? "200+" : "200"
  },
  ask: ({ call, target }) => call("GET", `/user/${target}/?show_balance=true`),
  done: (answer, given) =>
    ofTarget(answer, given) && `200${"balance" in (answer.body as Record<string, unknown>) ? "+" : ""}`,
})

/** The endpoints, by name; one has a row for each way to call it. */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  "POST /token": {
    targets: named,
    word: ({ target }) => (target === "unknown" ? "401" : "200"),
    ask: ({ call, target }) => call("POST", "/token", { form: form(target) }),
    done: holding({ token_type: "bearer" }),
    nobody: { ...logInAnswer, headers: { "www-authenticate": "Bearer" } },
  },
  "POST /refresh_token": {
    word: ({ credential }) => {
      if (["refresh", "another's", "super"].includes(credential)) return "200"
      return /^none$|^(s\.)?cookie$|^c\./.test(credential) ? "422" : "401"
    },
    place: "body",
    ask: ({ call, presented: { token } }) => call("POST", "/refresh_token", { json: { refresh_token: token } }),
    done: holding({ token_type: "bearer" }),
  },
  "POST /login": {
    targets: named,
    word: ({ target }) => (target === "unknown" ? "401" : "200"),
    ask: ({ call, target }) => call("POST", "/login", { form: form(target) }),
    done: holding({ status: "logged in" }),
    nobody: logInAnswer,
    ends: "sessions",
  },
  "POST /login/second-factor": {
    word: "401",
    ask: ({ call }) => call("POST", "/login/second-factor", { json: { challenge: "none", code: "000000" } }),
    done: () => null,
    nobody: refused(401, "This took too long; start again"),
  },
  "POST /logout": {
    admitsForeign: true,
    ask: ({ call }) => call("POST", "/logout"),
    done: holding({ status: "logged out" }),
    ends: "sessions",
  },
  "GET /api/v1/wall": wall("open"),
  'GET /api/v1/wall with "auth"': wall("closed"),
  "GET /user/": userList("open"),
  'GET /user/ with "auth"': userList("closed"),
  "GET /user/{username}/": oneUser("open"),
  'GET /user/{username}/ with "auth"': oneUser("closed"),
  "POST /user/": {
    ask: ({ call }) => {
      const username = anew()
      const user = { name: "Davi", username, email: `${username}@example.com`, dept: "sales", password: "x" }
      return call("POST", "/user/", { json: user })
    },
    done: holding({ name: "Davi" }, 201),
    writes: true,
  },
  "PATCH /user/{username}/": {
    ask: ({ call, target }) => call("PATCH", `/user/${target}/`, { json: { bio: anew() } }),
    done: ofTarget,
    writes: true,
  },
  "POST /user/{username}/password/": changePassword("bearer"),
  "POST /user/{username}/password/?reset": changePassword("query"),
  "POST /user/pwd_reset_token/": {
    targets: named,
    ask: ({ call, target }) => call("POST", "/user/pwd_reset_token/", { json: { email: `${target}@example.com` } }),
    done: holding({ message: "If we found a user with that email, we sent a password reset token to it." }),
  },
  "POST /transaction/{username}/": {
    ask: ({ call, target }) => call("POST", `/transaction/${target}/`, { json: { value: 1 } }),
    done: holding({ message: "Transaction added" }, 201),
    writes: true,
  },
  "GET /api/v1/feed": {
    ask: ({ call }) => call("GET", "/api/v1/feed?size=1"),
    done: ({ status, body }) => (status === 200 && Bun.deepMatch({ items: [{}] }, body) ? "200" : null),
  },
  "GET /api/v1/stream": {
    isBeforeGuard: true,
    word: "405",
    ask: ({ call }) => call("GET", "/api/v1/stream"),
    done: (answer) => is(answer, 405),
  },
  "WebSocket /api/v1/stream": stream("open", "/api/v1/stream"),
  "GET /api/v1/recognitions/{id}": {
    ask: ({ call }) => call("GET", "/api/v1/recognitions/1"),
    done: holding({ id: 1, to_username: "ana" }),
  },
  "PUT /api/v1/recognitions/{id}/reactions/{emoji}": {
    ask: ({ call }) => call("PUT", `/api/v1/recognitions/1/reactions/${encodeURIComponent("👏")}`),
    done: holding({ id: 1 }),
  },
  "DELETE /api/v1/recognitions/{id}/reactions/{emoji}": {
    ask: ({ call }) => call("DELETE", `/api/v1/recognitions/1/reactions/${encodeURIComponent("👏")}`),
    done: holding({ id: 1 }),
  },
  // Points for Carla, which admin gave.
  "POST /api/v1/recognitions/{id}/points": {
    ask: ({ call }) => call("POST", "/api/v1/recognitions/3/points", { json: { value: 1 } }),
    done: holding({ replayed: false }, 201),
    writes: true,
  },
  "POST /api/v1/recognitions/{id}/replies": {
    ask: ({ call }) => call("POST", "/api/v1/recognitions/1/replies", { json: { text: "Well done" } }),
    done: holding({ text: "Well done" }, 201),
  },
  "DELETE /api/v1/replies/{id}": {
    word: ({ who }) => (who === "ana" ? "200" : "403"),
    ask: async ({ call, setup }) => call("DELETE", `/api/v1/replies/${await replyOfAna(setup)}`),
    done: holding({ message: "Reply deleted" }),
    forbidden: "You can only delete your own replies",
  },
  "PATCH /api/v1/replies/{id}": {
    ask: async ({ call, setup }) =>
      call("PATCH", `/api/v1/replies/${await replyOfAna(setup)}`, { json: { hidden: false } }),
    done: holding({ username: "ana", hidden: false }),
  },
  "GET /api/v1/notifications": {
    ask: ({ call }) => call("GET", "/api/v1/notifications"),
    done: holding({ next: null }),
  },
  "GET /api/v1/occasions": {
    ask: ({ call }) => call("GET", "/api/v1/occasions"),
    done: holding({ items: [] }),
  },
  "POST /api/v1/notifications/seen": {
    ask: ({ call }) => call("POST", "/api/v1/notifications/seen", { json: { through: 1 } }),
    done: (answer) => is(answer, 200),
  },
  "POST /api/v1/grants": {
    word: "201",
    ask: ({ call }) => call("POST", "/api/v1/grants", { json: { value: 1, usernames: ["carla", "admin"] } }),
    done: holding({ total: 2 }, 201),
    writes: true,
  },
  "POST /api/v1/transactions": {
    targets: named,
    word: ({ target }) => (target === "unknown" ? "404" : "201"),
    ask: ({ call, target }) => call("POST", "/api/v1/transactions", { json: { to: target, value: 1 } }),
    done: holding({ value: 1, replayed: false }, 201),
    writes: true,
  },
  "GET /api/v1/transactions": {
    word: moreForSuperusers,
    // Between others, as far as Ana and Bruno are concerned.
    ask: ({ call }) => call("GET", "/api/v1/transactions?size=1&from_user=admin&user=carla"),
    done: ({ status, body }) =>
      status === 200 ? `200${Bun.deepMatch({ items: [{}] }, body as object) ? "+" : ""}` : null,
  },
  "GET /api/v1/transactions?reference": {
    // Nobody has used it.
    ask: ({ call }) => call("GET", "/api/v1/transactions?reference=unknown"),
    done: holding({ items: [] }),
  },
  "POST /api/v1/transactions/{id}/reversal": {
    ask: ({ call }) => call("POST", "/api/v1/transactions/1/reversal", { json: { value: 1, reason: "a mistake" } }),
    done: holding({ kind: "reversal", reverses: 1 }, 201),
    writes: true,
  },
  ...allowanceRows,
  ...webhookRows,
  "POST /api/v1/users/import": {
    ask: ({ call }) => {
      const body = `username,name,email,dept\n${anew()},Davi,${anew()}@example.com,sales\n`
      return call("POST", "/api/v1/users/import", { body, headers: { "content-type": "text/csv" } })
    },
    done: holding({ created: 1 }),
    writes: true,
  },
  "GET /api/v1/transactions.csv": {
    word: moreForSuperusers,
    // Between others, as far as Ana and Bruno are concerned.
    ask: ({ call }) => call<string>("GET", "/api/v1/transactions.csv?from_user=admin&user=carla"),
    done: ({ status, body }) => (status === 200 ? `200${String(body).includes("carla") ? "+" : ""}` : null),
  },
  "GET /api/v1/transactions.csv?username": {
    targets: named,
    word: ({ who, target }) => {
      if (target === "unknown") return "404"
      return who === "admin" || (who === "ana" && target === "self") ? "200" : "403"
    },
    ask: ({ call, target }) => call("GET", `/api/v1/transactions.csv?username=${target}`),
    done: (answer) => is(answer, 200),
    forbidden: "You can only see your own transactions",
  },
  "GET /api/v1/users.csv": {
    ask: ({ call }) => call("GET", "/api/v1/users.csv"),
    done: (answer) => is(answer, 200),
  },
  "GET /api/v1/audit": {
    ask: ({ call }) => call("GET", "/api/v1/audit"),
    done: (answer) => is(answer, 200),
  },
  "GET /api/v1/audit.csv": {
    ask: ({ call }) => call("GET", "/api/v1/audit.csv"),
    done: (answer) => is(answer, 200),
  },
  "GET /transaction/": {
    word: moreForSuperusers,
    // Between others, as far as Ana and Bruno are concerned.
    ask: ({ call }) => call("GET", "/transaction/?from_user=admin&user=carla&size=1"),
    done: (answer) => holding({ total: 0 })(answer) ?? (holding({ page: 1 })(answer) && "200+"),
  },
  "GET /transaction/{username}/": {
    ask: ({ call, target }) => call("GET", `/transaction/${target}/`),
    done: holding({ page: 1 }),
  },
  "GET /transaction/ws": {
    word: "405",
    ask: ({ call }) => call("GET", "/transaction/ws"),
    done: (answer) => is(answer, 405),
  },
  "WebSocket /transaction/ws": stream("open"),
  'WebSocket /transaction/ws with "auth"': stream("closed"),
  "GET /openapi.json": { ask: ({ call }) => call("GET", "/openapi.json"), done: (answer) => is(answer, 200) },
  "GET /docs": { ask: ({ call }) => call("GET", "/docs"), done: (answer) => is(answer, 200) },
  "GET /unsubscribe": unsubscribe("GET"),
  "POST /unsubscribe": unsubscribe("POST"),
  "GET /oidc/login": singleSignOn("/oidc/login"),
  "GET /oidc/callback": singleSignOn("/oidc/callback?code=1&state=2"),
  "POST /oidc/backchannel-logout": backChannel,
  "GET /oidc/logout": { ...singleSignOn("/oidc/logout"), ends: "sessions" },
  ...mailRows,
  ...peopleRows,
  ...rewardRows,
  ...tokenRows,
  ...scimRows,
  ...chatRows,
}

export const withQuery = (path: string, query?: string): string =>
  query === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`
