import { cookie, type Tokens } from "../support/credentials.ts"
import { forge } from "../support/tokens.ts"
import type { Person, Setup } from "./setup.ts"

/** Where an endpoint takes a token: in `Authorization`, in the body, or in the query. */
export type Place = "bearer" | "body" | "query"

/** The credentials that a caller presents. */
export interface Presented {
  readonly headers: Readonly<Record<string, string>>
  /** The token, for the place where the endpoint takes it; absent: none is presented. */
  readonly token?: string
  /** Additional query parameters. */
  readonly query?: string
}

type Present = (setup: Setup, place: Place) => Presented | Promise<Presented>

const foreign = { origin: "https://elsewhere.example.com", "sec-fetch-site": "cross-site" }

/**
 * The credentials by name. Ana calls, except with those from `another's` to `s.foreign` and those that begin with `s.`.
 *
 * | Name      | Presents                                                                                      |
 * | none      | nothing                                                                                       |
 * | access    | Ana's access token                                                                            |
 * | stale     | her access token from a refresh, where `?fresh=true` demands one that a password was given for |
 * | refresh   | her refresh token                                                                             |
 * | reset     | her reset token                                                                               |
 * | expired   | an expired token of hers                                                                      |
 * | forged    | a token of hers, signed with another key                                                      |
 * | unsigned  | a token of hers with the algorithm `none`                                                     |
 * | ended     | a token of hers from before her password was changed                                          |
 * | cookie    | the cookie of her session                                                                     |
 * | c.foreign | the same, from a page of another site                                                         |
 * | c.unknown | a cookie of no session, together with a good access token                                     |
 * | c.expired | the cookie of an expired session, together with a good access token                           |
 * | c.ended   | the cookie of a session from before her password was changed, with a good access token        |
 * | another's | the token of Bruno, who is no superuser                                                       |
 * | super     | the token of a superuser                                                                      |
 * | s.cookie  | the cookie of a superuser's session                                                           |
 * | s.foreign | the same, from a page of another site                                                         |
 * | t.read    | Ana's API token of this scope, likewise `t.give`                                               |
 * | t.admin   | one that she created while she was a superuser                                                |
 * | s.t.read  | a superuser's API token of this scope, likewise `s.t.give` and `s.t.admin`                    |
 * | service   | a service token of scope `give` that acts for Ana, with an `Idempotency-Key`                  |
 *
 * A token is of the kind that the endpoint asks for, except in the columns that name a kind. `/refresh_token` takes it
 * in the body, `?pwd_reset_token=` in the query, all others as bearer.
 */
export const credentials: Readonly<Record<string, Present>> = {
  none: () => ({ headers: {} }),
  access: async ({ ana, logIn }) => ({ headers: {}, token: (await logIn(ana)).access_token }),
  stale: async ({ ana, refresh }) => ({ headers: {}, token: (await refresh(ana)).access_token, query: "fresh=true" }),
  refresh: async ({ ana, logIn }) => ({ headers: {}, token: (await logIn(ana)).refresh_token }),
  reset: async ({ ana, resetToken }) => ({ headers: {}, token: await resetToken(ana) }),
  expired: ({ ana }, place) => ({ headers: {}, token: forge({ ...claimsOf(ana, place), exp: minutesFromNow(-1) }) }),
  forged: ({ ana }, place) => ({ headers: {}, token: forge(claimsOf(ana, place), { key: "a key of somebody else" }) }),
  unsigned: ({ ana }, place) => ({ headers: {}, token: forge(claimsOf(ana, place), { alg: "none" }) }),
  ended: ({ ended }, place) => ({ headers: {}, token: ofPlace(ended, place) }),
  cookie: async ({ ana, session }) => ({ headers: cookie(await session(ana)) }),
  "c.foreign": async ({ ana, session }) => ({ headers: { ...cookie(await session(ana)), ...foreign } }),
  "c.unknown": (setup) => besideToken(setup, "0123456789abcdef0123456789abcdef"),
  "c.expired": (setup) => besideToken(setup, setup.expiredSession),
  "c.ended": (setup) => besideToken(setup, setup.ended.session),
  "another's": ({ bruno, ...setup }, place) => ofPerson(setup, bruno, place),
  super: ({ admin, ...setup }, place) => ofPerson(setup, admin, place),
  "s.cookie": async ({ admin, session }) => ({ headers: cookie(await session(admin)) }),
  "s.foreign": async ({ admin, session }) => ({ headers: { ...cookie(await session(admin)), ...foreign } }),
  "t.read": ({ ana, apiToken }) => apiToken(ana, "read").then(withToken),
  "t.give": ({ ana, apiToken }) => apiToken(ana, "give").then(withToken),
  "t.admin": ({ ana, apiToken }) => apiToken(ana, "admin").then(withToken),
  "s.t.read": ({ admin, apiToken }) => apiToken(admin, "read").then(withToken),
  "s.t.give": ({ admin, apiToken }) => apiToken(admin, "give").then(withToken),
  "s.t.admin": ({ admin, apiToken }) => apiToken(admin, "admin").then(withToken),
  service: ({ serviceToken }) => ({
    token: serviceToken,
    headers: { "idempotency-key": crypto.randomUUID() },
  }),
}

const withToken = (token: string): Presented => ({ headers: {}, token })

/** A session cookie together with a good access token. A bad cookie is refused although the token is good. */
async function besideToken({ ana, logIn }: Setup, session: string): Promise<Presented> {
  return { headers: { ...cookie(session), authorization: `Bearer ${(await logIn(ana)).access_token}` } }
}

async function ofPerson({ logIn, resetToken }: Pick<Setup, "logIn" | "resetToken">, person: Person, place: Place) {
  const reset = place === "query" ? await resetToken(person) : ""
  return { headers: {}, token: ofPlace({ ...(await logIn(person)), reset }, place) }
}

const ofPlace = (tokens: Tokens & { readonly reset: string }, place: Place): string =>
  ({ bearer: tokens.access_token, body: tokens.refresh_token, query: tokens.reset })[place]

const claimsOf = ({ username }: Person, place: Place) => ({
  sub: username,
  exp: minutesFromNow(10),
  ...{
    bearer: { scope: "access_token", fresh: true },
    body: { scope: "refresh_token" },
    query: { scope: "pwd_reset" },
  }[place],
})

const minutesFromNow = (minutes: number) => Math.floor(Date.now() / 1000) + minutes * 60
