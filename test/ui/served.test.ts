import { expect, test } from "bun:test"
import { catalogues } from "../../src/ui/texts/texts.ts"
import { startServer } from "../support/executable.ts"

const encodings = { "accept-encoding": "br, gzip" }

test("each address of the app returns the page; unknown paths return the interface's errors", async () => {
  await using server = await startServer()
  for (const path of ["/", "/login", "/reset-password", "/people/ana-souza", "/admin/new", "/wall/"]) {
    const page = await fetch(server.url + path, { headers: { accept: "text/html" } })
    expect([path, page.status, page.headers.get("content-type")]).toEqual([path, 200, "text/html; charset=utf-8"])
  }
  for (const path of ["/unknown", "/api/v1/unknown", "/assets/unknown.js", "/people/ana/more"]) {
    const answer = await fetch(server.url + path, { headers: { accept: "text/html" } })
    expect([path, answer.status, await answer.json()]).toMatchObject([path, 404, { detail: "Not Found" }])
  }
})

const navigation = { "sec-fetch-dest": "document", accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

test("a browser that navigates to an unknown path gets the page, with status 404 and the page's headers", async () => {
  await using server = await startServer()
  const home = await fetch(server.url, { headers: { accept: "text/html" } })
  for (const path of [
    "/unknown",
    "/api/v1/unknown",
    "/people/ana/more",
    "/wp-login.php",
    "/admin/people",
    "/admin/nothing/at/all",
  ]) {
    const headers = { ...navigation, "if-none-match": home.headers.get("etag") ?? "" }
    const page = await fetch(server.url + path, { headers })
    expect([path, page.status, page.headers.get("content-type")]).toEqual([path, 404, "text/html; charset=utf-8"])
    expect(page.headers.get("content-security-policy")).toBe(home.headers.get("content-security-policy"))
    expect([page.headers.get("cache-control"), page.headers.get("etag")]).toEqual(["no-store", null])
    expect(await page.text()).toContain('<div id="app">')
  }
})

test("other requests never get the page: other destinations, other methods, existing paths, missing files", async () => {
  await using server = await startServer()
  const ask = async (path: string, headers: Record<string, string>, method = "GET") => {
    const answer = await fetch(server.url + path, { method, headers })
    return [answer.status, await answer.json()]
  }
  const notFound = [404, { detail: "Not Found" }]
  for (const destination of ["empty", "iframe", "image"])
    expect(await ask("/unknown", { ...navigation, "sec-fetch-dest": destination })).toEqual(notFound)
  expect(await ask("/unknown", { ...navigation, accept: "application/json" })).toEqual(notFound)
  expect(await ask("/unknown", { accept: "text/html" })).toEqual(notFound)
  expect(await ask("/unknown", navigation, "POST")).toEqual(notFound)
  expect(await ask("/user/nobody/", navigation)).toEqual([404, { detail: "User not found" }])
  expect(await ask("/token", navigation)).toEqual([405, { detail: "Method Not Allowed" }])
  expect(await ask("/transaction/ws", navigation)).toEqual([405, { detail: "Method Not Allowed" }])
})

test("GET /login without a page in Accept is 405", async () => {
  await using server = await startServer()
  const answer = await fetch(`${server.url}/login`)
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"])
  expect(await answer.json()).toEqual({ detail: "Method Not Allowed" })
})

test("the page is revalidated each time with a 304, and its assets are cached as immutable", async () => {
  await using server = await startServer()
  const page = await fetch(`${server.url}/`)
  expect(page.headers.get("cache-control")).toBe("no-cache")
  const etag = page.headers.get("etag") ?? ""
  const again = await fetch(`${server.url}/`, { headers: { "if-none-match": etag } })
  expect([again.status, await again.text()]).toEqual([304, ""])
  const head = await fetch(`${server.url}/`, { method: "HEAD" })
  expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""])

  const paths = [...(await page.text()).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1])
  expect(paths.length).toBeGreaterThan(2)
  for (const path of paths) {
    const asset = await fetch(server.url + path)
    expect([path, asset.status, asset.headers.get("cache-control")]).toEqual([
      path,
      200,
      "public, max-age=31536000, immutable",
    ])
  }
})

test("the content is the same in every encoding that a browser accepts", async () => {
  await using server = await startServer()
  const plain = await (await fetch(`${server.url}/`, { headers: { "accept-encoding": "identity" } })).text()
  const script = /src="([^"]+)"/.exec(plain)?.[1] ?? ""
  for (const path of ["/", script]) {
    const texts = ["br", "gzip", "identity", "br;q=0, gzip"].map(async (accepted) => {
      const answer = await fetch(server.url + path, { headers: { "accept-encoding": accepted } })
      return { encoding: answer.headers.get("content-encoding"), text: await answer.text() }
    })
    const answers = await Promise.all(texts)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    // `fetch` decodes the body but keeps the header.
    expect(answers.map(({ encoding }) => encoding)).toEqual(["br", "gzip", null, "gzip"])
  }
})

test("the page preloads the texts of the language that the browser prefers", async () => {
  await using server = await startServer()
  const greetings = await Promise.all(
    Object.entries(catalogues).map(async ([tag, { main }]) => [tag, (await main()).texts.home.greeting] as const),
  )
  const textsFor = async (language: string) => {
    const page = await fetch(`${server.url}/`, { headers: { "accept-language": language } })
    expect(page.headers.get("vary")).toContain("accept-language")
    const paths = [...(await page.text()).matchAll(/modulepreload" href="([^"]+)"/g)].map(([, path]) => path)
    const scripts = await Promise.all(paths.map(async (path) => (await fetch(server.url + path)).text()))
    return greetings.filter(([, words]) => scripts.some((text) => text.includes(`"${words}"`))).map(([tag]) => tag)
  }
  expect(await textsFor("pt-BR,pt;q=0.9,en;q=0.8")).toEqual(["pt"])
  expect(await textsFor("fr-CA,en-GB;q=0.9")).toEqual(["fr"])
  expect(await textsFor("it-IT,en-GB;q=0.9")).toEqual(["en"])
  expect(await textsFor("it")).toEqual(["en"])
})

test("the page has no inline script or style, and the policy allows none", async () => {
  await using server = await startServer()
  const page = await fetch(`${server.url}/`, { headers: encodings })
  const policy = page.headers.get("content-security-policy") ?? ""
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
  expect(policy).not.toContain("unsafe")
  expect(page.headers.get("referrer-policy")).toBe("no-referrer")
  expect(await page.text()).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/)
})

test("programs that ask for an icon, robots.txt or the page of the password get them without reading a page", async () => {
  await using server = await startServer()
  const ask = (path: string) => fetch(server.url + path, { redirect: "manual" })
  for (const [path, pixels] of [
    ["/favicon.ico", 192],
    ["/apple-touch-icon.png", 180],
    ["/apple-touch-icon-precomposed.png", 180],
  ] as const) {
    const icon = await ask(path)
    expect([path, icon.status, icon.headers.get("content-type")]).toEqual([path, 200, "image/png"])
    expect(Buffer.from(await icon.arrayBuffer()).readUInt32BE(16)).toBe(pixels) // the width of a PNG
  }
  const robots = await ask("/robots.txt")
  expect([robots.status, await robots.text()]).toEqual([200, "User-agent: *\nDisallow: /\n"])
  const password = await ask("/.well-known/change-password")
  expect([password.status, password.headers.get("location")]).toEqual([302, "/me"])
  expect((await ask("/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200")).status).toBe(
    404,
  )
  expect((await ask("/")).headers.get("x-robots-tag")).toBe("noindex")
})
