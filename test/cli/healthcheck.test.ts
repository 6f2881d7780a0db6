import { expect, test } from "bun:test"
import { secret } from "../support/executable.ts"
import { startTestServer } from "../support/server.ts"
import { done, misused, operator, refused } from "./operator.ts"

test("healthcheck asks the server that its settings name, without a proxy", async () => {
  await using server = await startTestServer()
  await using somebody = await operator()
  const { port } = new URL(server.url)
  const env = {
    REWARDS_SERVER__PORT: port,
    REWARDS_SECURITY__SECRET_KEY: secret,
    http_proxy: "http://127.0.0.1:1",
  }

  for (const host of ["127.0.0.1", "0.0.0.0", "localhost"])
    expect(await somebody.types(["healthcheck"], { env: { ...env, REWARDS_SERVER__HOST: host } })).toMatchObject({
      status: 0,
      stdout: '{"status":"alive"}\n',
    })
  const { now } = server.clock
  expect(await somebody.types(["healthcheck", "--ready"], { env, now })).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\{"status":"ready","checks":\{"database"/),
  })
  expect(await somebody.types(["healthcheck", "--url", `${server.url}/`])).toEqual(done('{"status":"alive"}'))
})

test("healthcheck prints the URL that it asks and where its settings come from", async () => {
  await using server = await startTestServer()
  await using somebody = await operator()
  const { port } = new URL(server.url)
  await Bun.write(`${somebody.folder}/mine.toml`, `[server]\nport = ${port}\n`)
  await Bun.write(`${somebody.folder}/rewards.toml`, "[server]\nport = 1\n")

  expect(await somebody.types(["healthcheck", "--config", "mine.toml"])).toEqual({
    status: 0,
    stdout: '{"status":"alive"}\n',
    stderr: `Asking http://127.0.0.1:${port} (mine.toml)\n`,
  })
  expect(await somebody.types(["healthcheck"], { env: { REWARDS_SERVER__PORT: port } })).toMatchObject({
    status: 0,
    stderr: `Asking http://127.0.0.1:${port} (rewards.toml, environment REWARDS_SERVER__PORT)\n`,
  })
  expect(await somebody.types(["healthcheck"])).toEqual(
    refused(
      "Asking http://127.0.0.1:1 (rewards.toml)",
      "http://127.0.0.1:1/healthz cannot be reached: connection refused",
    ),
  )
})

test("healthcheck refuses to guess: it needs settings or a URL", async () => {
  await using somebody = await operator()
  expect(await somebody.types(["healthcheck"])).toEqual(
    refused(
      "there is no rewards.toml in this folder, so the address of the server is unknown; name its settings with " +
        "--config FILE, or its address with --url URL",
    ),
  )
})

test("healthcheck fails if nobody answers, if one part is bad, and if the URL is invalid", async () => {
  await using server = await startTestServer()
  await using somebody = await operator()
  await server.app.worker.stop(0)

  expect(await somebody.types(["healthcheck", "--url", server.url])).toMatchObject({ status: 0 })
  const { port } = new URL(server.url)
  const env = { REWARDS_SERVER__PORT: port, REWARDS_SECURITY__SECRET_KEY: secret }
  expect(await somebody.types(["healthcheck", "--ready"], { env, now: server.clock.now })).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ answered 503: .*"does not run"/m),
  })
  expect(await somebody.types(["healthcheck", "--ready", "--url", server.url])).toEqual(
    refused(`${server.url} answered 503: {"status":"not ready"}`),
  )
  expect(await somebody.types(["healthcheck", "--url", "http://127.0.0.1:1"])).toEqual(
    refused("http://127.0.0.1:1/healthz cannot be reached: connection refused"),
  )
  for (const url of ["localhost:8000", "http://a b", "http://:80", "http://ana:secret@localhost:8000"])
    expect(await somebody.types(["healthcheck", "--url", url])).toEqual(
      misused("URL must be like http://127.0.0.1:8000", "See: rewards healthcheck --help"),
    )
})

test("healthcheck --wait asks again until the server answers or the time is over", async () => {
  await using somebody = await operator()
  let asked = 0
  using late = Bun.serve({
    port: 0,
    fetch: () => (++asked < 3 ? new Response("not yet", { status: 503 }) : new Response('{"status":"ready"}')),
  })
  const url = `http://127.0.0.1:${late.port}`

  expect(await somebody.types(["healthcheck", "--ready", "--wait", "60", "--url", url])).toEqual(
    done('{"status":"ready"}'),
  )
  expect(asked).toBe(3)
  expect(await somebody.types(["healthcheck", "--wait", "1", "--url", "http://127.0.0.1:1"])).toEqual(
    refused("http://127.0.0.1:1/healthz cannot be reached: connection refused"),
  )
  for (const address of [["--url", url], []])
    expect(await somebody.types(["healthcheck", "--wait", "soon", ...address])).toEqual(
      misused("option --wait: a number of seconds from 0 to 9999", "See: rewards healthcheck --help"),
    )
})

test("healthcheck gives up on a server that does not answer", async () => {
  await using silent = listenSilently()
  await using somebody = await operator()
  expect(await somebody.types(["healthcheck", "--url", silent.url])).toEqual(
    refused(`${silent.url}/healthz did not answer within 5 s`),
  )
}, 120_000)

function listenSilently() {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
  return {
    url: `http://127.0.0.1:${listener.port}`,
    [Symbol.asyncDispose]: async () => listener.stop(true),
  }
}
