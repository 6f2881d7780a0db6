/** An API token, or the username and password of a person. */
export type Credentials = { readonly token: string } | Login

interface Login {
  readonly username: string
  readonly password: string
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

interface Authorized {
  readonly fetch: (request: Request) => Promise<Response>
  /** The header `Authorization`; null without credentials. @throws when it cannot log in */
  readonly header: () => Promise<string | null>
}

/** The service refuses to log in. */
class LoginRefused extends Error {
  constructor(readonly response: Response) {
    super(`the log-in was answered with ${response.status}`)
  }
}

/** Sends credentials with each request. */
export function authorized(url: string, credentials: Credentials | undefined, send: typeof fetch): Authorized {
  if (credentials !== undefined && "password" in credentials) return withPassword(url, credentials, send)
  const header = credentials === undefined ? null : `Bearer ${credentials.token}`
  return { fetch: (request) => send(withHeader(request, header)), header: async () => header }
}

/**
 * Logs in with the first request, and renews the access token when that has ended: by the refresh token, else by logging in
 * again. Nothing is kept of a failure, so the next request tries again. When the log-in is refused, its answer is the
 * answer to the request.
 */
function withPassword(url: string, { username, password }: Login, send: typeof fetch): Authorized {
  let held: Promise<Tokens> | null = null
  const current = () => held ?? hold(logIn())

  return {
    async fetch(request) {
      const again = request.clone()
      try {
        const before = current()
        const tokens = await before
        const response = await send(withHeader(request, bearer(tokens)))
        if (response.status !== 401) return response
        if (held === before) void hold(renew(tokens)) // else another request has done so
        return await send(withHeader(again, bearer(await current())))
      } catch (error) {
        if (error instanceof LoginRefused) return error.response.clone()
        throw error
      }
    },
    header: async () => bearer(await current()),
  }

  function hold(getting: Promise<Tokens>): Promise<Tokens> {
    held = getting
    getting.catch(() => {
      if (held === getting) held = null
    })
    return getting
  }

  async function renew({ refresh_token }: Tokens): Promise<Tokens> {
    const headers = { "content-type": "application/json" }
    const response = await send(`${url}/refresh_token`, {
      method: "POST",
      headers,
      body: JSON.stringify({ refresh_token }),
    })
    return response.ok ? tokensIn(response) : logIn()
  }

  async function logIn(): Promise<Tokens> {
    const response = await send(`${url}/token`, { method: "POST", body: new URLSearchParams({ username, password }) })
    if (!response.ok) throw new LoginRefused(response)
    return tokensIn(response)
  }
}

/** @throws SyntaxError, TypeError for an answer that something else than the service gave, such as a proxy */
async function tokensIn(response: Response): Promise<Tokens> {
  const tokens = (await response.json()) as Tokens | null
  if (typeof tokens?.access_token !== "string") throw new TypeError("the log-in was answered without a token")
  return tokens
}

const bearer = ({ access_token }: Tokens): string => `Bearer ${access_token}`

function withHeader(request: Request, header: string | null): Request {
  if (header !== null) request.headers.set("authorization", header)
  return request
}
