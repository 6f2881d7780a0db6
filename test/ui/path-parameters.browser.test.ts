import { afterAll, beforeAll, expect, test } from "bun:test"
import { treaty } from "@elysiajs/eden"
import type { Api } from "../../src/http/api.ts"
import { encodePathParameters } from "../../src/ui/server/path-parameters.ts"
import { sizes } from "./page.ts"
import { openHome, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test("the app's client requests exactly the given username, or nothing", async () => {
  for (const username of ["ünï", "a..b+c&d=e", "$&", "a"])
    await app.createUser(`Somebody ${username}`, { username, email: `${crypto.randomUUID()}@example.com` })
  const paths: string[] = []
  const fetcher = (url: string, init: RequestInit) => {
    paths.push(new URL(url).pathname)
    return fetch(url, init)
  }
  const client = encodePathParameters(treaty<Api>(app.server.url, { fetcher: Object.assign(fetcher, fetch) }))
  for (const username of ["ünï", "a..b+c&d=e", "$&", "a"])
    expect((await client.user({ username }).get()).data).toMatchObject({ username })

  for (const username of [".", "..", "%2e%2e", "a?b", "a#b", "a/b", "a/../admin", "..\\admin", "a/"]) {
    const { status, error } = await client.user({ username }).get()
    expect<unknown>([username, status, error?.value]).toEqual([username, 404, { detail: "User not found" }])
    expect(paths.at(-1)).toMatch(/^\/user\/[^/]+$/)
  }
})

test("the page of an unusual username shows that user, or says that there is none", async () => {
  const ana = await app.createUser("Ana Souza", { username: "ana" })
  await app.createUser("Ünï Çödé", { username: "ünïcode" })
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened

  await page.goto(`/people/${encodeURIComponent("ünïcode")}`)
  await page.getByRole("heading", { name: "Ünï Çödé", exact: true }).waitFor()
  for (const username of ["%2e%2e", "ana?x", "ana#x", "ana/x"]) {
    await page.goto(`/people/${encodeURIComponent(username)}`)
    await page.getByRole("heading", { name: "Person not found" }).waitFor()
    await page.locator("main b").getByText(username, { exact: true }).waitFor()
  }
})
