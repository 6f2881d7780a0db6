import type { Endpoint } from "./endpoint.ts"

/** Whether a status is that of a success, as its word. */
const is = (status: number) => (answer: { readonly status: number }) =>
  answer.status === status ? String(status) : null

export const mailRows: Readonly<Record<string, Endpoint>> = {
  "GET /api/v1/mail": { ask: ({ call }) => call("GET", "/api/v1/mail"), done: is(200) },
  "GET /api/v1/mail/links": { ask: ({ call }) => call("GET", "/api/v1/mail/links"), done: is(200) },
  "POST /api/v1/mail/retry": { ask: ({ call }) => call("POST", "/api/v1/mail/retry"), done: is(200) },
  "POST /api/v1/mail/test": { ask: ({ call }) => call("POST", "/api/v1/mail/test"), done: is(201) },
  "POST /api/v1/mail/{id}/retry": {
    ask: async ({ setup, call }) => call("POST", `/api/v1/mail/${await setup.discardedMail()}/retry`),
    done: is(200),
  },
}
