import { expect, test } from "bun:test"
import { startPlainServer } from "../../src/http/plain-server.ts"
import { probeAnswer, probeHeader, signProbe } from "../../src/http/probe.ts"
import { exchange } from "../support/client.ts"
import { secret } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"

const now = Date.UTC(2026, 10, 25)

function started() {
  const port = freePort()
  const answerTo = (token: string) => (token === "token-1" ? "token-1.thumbprint" : undefined)
  const baseUrl = "https://rewards.example.com:8443"
  const server = startPlainServer({ host: "127.0.0.1", port, baseUrl, answerTo, secret, now: () => now })
  return { ...server, url: `http://127.0.0.1:${port}` }
}

async function served(path: string, init: RequestInit = {}) {
  const server = started()
  const response = await fetch(server.url + path, { redirect: "manual", ...init })
  const body = await response.text()
  await server.stop()
  return { status: response.status, location: response.headers.get("location"), body }
}

test("every address leads to the same one over https, wherever the client says it asks", async () => {
  const headers = { host: "evil.example.com" }
  expect(await served("/people/ana%2Fb?tab=1", { headers })).toEqual({
    status: 308,
    location: "https://rewards.example.com:8443/people/ana%2Fb?tab=1",
    body: "",
  })
  expect(await served("//evil.example.com/", { method: "POST", body: "secret=1" })).toMatchObject({
    status: 308,
    location: expect.stringMatching(/^https:\/\/rewards\.example\.com:8443\//),
  })
})

test("HTTP/1.0 without a host is redirected too, and what names no valid address is refused", async () => {
  const server = started()
  const answers = []
  for (const head of [
    "GET /people?tab=1 HTTP/1.0",
    "GET /people HTTP/1.1\r\nHost: [",
    "CONNECT evil.example.com:443 HTTP/1.1\r\nHost: rewards.example.com",
  ]) {
    const answer = await exchange(server.url, `${head}\r\nConnection: close\r\n\r\n`)
    const [, location] = /^location: (.*?)\r$/im.exec(answer) ?? []
    answers.push([Number(answer.split(" ", 2)[1]), location])
  }
  await server.stop()

  expect(answers).toEqual([
    [308, "https://rewards.example.com:8443/people?tab=1"],
    [400, undefined],
    [400, undefined],
  ])
})

test("challenges are answered while they are under way, and nothing else at their path", async () => {
  const path = "/.well-known/acme-challenge/"
  expect(await served(`${path}token-1`)).toMatchObject({ status: 200, body: "token-1.thumbprint" })
  expect(await served(`${path}token-2`)).toMatchObject({ status: 404, body: "", location: null })
  expect(await served(path)).toMatchObject({ status: 404 })
})

test("doctor gets a proof that the server knows the secret; others are redirected", async () => {
  const header = signProbe(secret, now)
  expect(await served("/probe", { headers: { [probeHeader]: header } })).toMatchObject({
    status: 200,
    body: probeAnswer(secret, header),
  })
  expect(await served("/probe", { headers: { [probeHeader]: signProbe("another secret", now) } })).toMatchObject({
    status: 308,
  })
})
