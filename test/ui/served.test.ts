import { expect, test } from "bun:test"
import { startServer } from "../support/executable.ts"

const encodings = { "accept-encoding": "br, gzip" }

test("each of the app's addresses answers with the page; unknown paths are errors of the interface as before", async () => {
  await using server = await startServer()
  for (const path of ["/", "/login", "/reset-password", "/people/ana-souza", "/admin/people", "/wall/"]) {
    const page = await fetch(server.url + path, { headers: { accept: "text/html" } })
    expect([path, page.status, page.headers.get("content-type")]).toEqual([path, 200, "text/html; charset=utf-8"])
  }
  for (const path of ["/unknown", "/api/v1/unknown", "/assets/unknown.js", "/people/ana/more"]) {
    const answer = await fetch(server.url + path, { headers: { accept: "text/html" } })
    expect([path, answer.status, await answer.json()]).toEqual([path, 404, { detail: "Not Found" }])
  }
})

test("whoever asks for no page is told that /login takes only POST", async () => {
  await using server = await startServer()
  const answer = await fetch(`${server.url}/login`)
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"])
  expect(await answer.json()).toEqual({ detail: "Method Not Allowed" })
})

test("the page is asked for again each time and answered by 304; what it loads is kept for good", async () => {
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

test("content is the same in every encoding that a browser takes", async () => {
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
    // What was decoded keeps its header.
    expect(answers.map(({ encoding }) => encoding)).toEqual(["br", "gzip", null, "gzip"])
  }
})

test("no script and no style stands in the page, and the policy allows none", async () => {
  await using server = await startServer()
  const page = await fetch(`${server.url}/`, { headers: encodings })
  const policy = page.headers.get("content-security-policy") ?? ""
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
  expect(policy).not.toContain("unsafe")
  expect(page.headers.get("referrer-policy")).toBe("no-referrer")
  expect(await page.text()).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/)
})
