/** An API token, or the username and password of a person. */
export type Credentials = { readonly token: string } | { readonly username: string; readonly password: string }

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

type Fetch = (request: Request) => Promise<Response>

/**
 * Sends credentials with each request. With a password it logs in first, and renews the access token when that has ended: by
 * the refresh token, else by logging in again.
 */
export function authorized(url: string, credentials: Credentials | undefined, send: typeof fetch) {
  let tokens: Promise<Tokens | null> | null = null

  async function header(): Promise<string | null> {
    if (credentials === undefined) return null
    if ("token" in credentials) return `Bearer ${credentials.token}`
    tokens ??= logIn(credentials)
    const current = await tokens
    if (current === null) tokens = null // tried again with the next request
    return current && `Bearer ${current.access_token}`
  }

  const withHeader: Fetch = async (request) => {
    const value = await header()
    if (value !== null) request.headers.set("authorization", value)
    return send(request)
  }

  return {
    header,
    fetch: (async (request) => {
      const again = request.clone()
      const used = tokens
      const response = await withHeader(request)
      if (response.status !== 401 || used === null) return response
      if (tokens === used) tokens = renew(await used)
      return withHeader(again)
    }) satisfies Fetch,
  }

  async function renew(ended: Tokens | null): Promise<Tokens | null> {
    const refresh_token = ended?.refresh_token
    const body = JSON.stringify({ refresh_token })
    const headers = { "content-type": "application/json" }
    const renewed = refresh_token
      ? await tokensOf(send(`${url}/refresh_token`, { method: "POST", headers, body }))
      : null
    return renewed ?? (credentials && "password" in credentials ? logIn(credentials) : null)
  }

  function logIn({ username, password }: { username: string; password: string }): Promise<Tokens | null> {
    const body = new URLSearchParams({ username, password })
    return tokensOf(send(`${url}/token`, { method: "POST", body }))
  }
}

/** Null when it is refused: then the request itself says why. */
async function tokensOf(answer: Promise<Response>): Promise<Tokens | null> {
  const response = await answer
  return response.ok ? ((await response.json()) as Tokens) : null
}
