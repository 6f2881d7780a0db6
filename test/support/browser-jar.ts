/** A browser without a screen: keeps cookies by host and path, and follows redirects only when told. */
export function createBrowserJar() {
  const cookies = new Map<string, { readonly value: string; readonly path: string; readonly host: string }>()

  async function go(address: string, init: RequestInit = {}): Promise<Response> {
    const { host, pathname } = new URL(address)
    const sent = [...cookies].flatMap(([key, { value, path, host: of }]) =>
      of === host && pathname.startsWith(path) ? [`${key.split(" ")[1]}=${value}`] : [],
    )
    const headers = { accept: "text/html", ...init.headers, ...(sent.length > 0 && { cookie: sent.join("; ") }) }
    const response = await fetch(address, { ...init, headers, redirect: "manual" })
    for (const cookie of response.headers.getSetCookie()) keep(host, cookie)
    return response
  }

  function keep(host: string, cookie: string) {
    const [pair = "", ...attributes] = cookie.split(/;\s*/)
    const [name = "", value = ""] = pair.split(/=(.*)/s)
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? "/"
    const isGone =
      attributes.some((one) => /^max-age=0$/i.test(one)) ||
      attributes.some((one) => /^expires=/i.test(one) && Date.parse(one.slice(8)) < Date.now())
    if (isGone || value === "") cookies.delete(`${host}${path} ${name}`)
    else cookies.set(`${host}${path} ${name}`, { value, path, host })
  }

  return {
    go,
    /** The URL to which the answer redirects. Fails when the answer is not a redirect. */
    async sentTo(address: string, init?: RequestInit): Promise<string> {
      const response = await go(address, init)
      const location = response.headers.get("location")
      if (location === null) throw new Error(`no redirect from ${address}: ${response.status} ${await response.text()}`)
      return new URL(location, address).href
    },
    /** The value of the cookie with this name, from any host and path. */
    cookie: (name: string): string | undefined => [...cookies].find(([key]) => key.endsWith(` ${name}`))?.[1].value,
  }
}

export type BrowserJar = ReturnType<typeof createBrowserJar>
