import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { refused } from "../cli/operator.ts"
import { executable, runCommand, startServer, temporaryFolder } from "../support/executable.ts"
import { until } from "../support/until.ts"

/** Temporary files of the program are in this folder. */
const inTemporary = (folder: string, env = {}) => ({ cwd: folder, env: { TMPDIR: folder, ...env } })

test("one command serves a company's year, with the log-ins that it prints, and leaves nothing behind", async () => {
  await using folder = await temporaryFolder()
  // Settings for another database must neither be used nor stop it.
  const env = { REWARDS_DB__URL: "postgres://nobody@127.0.0.1:1/production", REWARDS_SERVER__PORT: "no port" }
  await using demo = startDemo(["--port", "0"], folder.path, env)

  const invitation = await demo.invitation()
  const [, url = "", people = "", password = ""] =
    /^Open (http:\/\/127\.0\.0\.1:\d+) and log in as (.+) with the password "(.+)"$/.exec(invitation) ?? []
  const usernames = people.split(/, | or /).map((one) => one.replace(/ \(.*/, ""))
  expect(usernames).toHaveLength(4)
  const seen = []
  for (const username of usernames) {
    const answer = await fetch(`${url}/token`, { method: "POST", body: new URLSearchParams({ username, password }) })
    expect(answer.status).toBe(200)
    const { access_token } = await answer.json()
    const read = async (path: string) =>
      (await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${access_token}` } })).json()
    expect((await read("/feed?size=100")).items).toHaveLength(100)
    expect((await read("/occasions")).items).not.toEqual([])
    seen.push(await read("/me"))
  }
  expect(seen).toContainEqual(expect.objectContaining({ username: "bruno-lima", reports: expect.any(Number) }))
  expect(seen).toContainEqual(
    expect.objectContaining({ username: "ruth-okafor", duties: ["insights", "rewards", "people", "programme"] }),
  )
  expect(readdirSync(folder.path)).toHaveLength(1)

  expect(await demo.stop()).toBe(0)
  expect(readdirSync(folder.path)).toEqual([])
})

test("a demo that is stopped while it fills the year leaves nothing behind", async () => {
  await using folder = await temporaryFolder()
  await using demo = startDemo([], folder.path)
  await until(() => readdirSync(folder.path, { recursive: true }).some((path) => String(path).endsWith("rewards.db")))
  expect(await demo.stop()).toBe(0)
  expect(readdirSync(folder.path)).toEqual([])
})

test("a kept demo can be served again with its own settings, and its folder is not taken a second time", async () => {
  await using folder = await temporaryFolder()
  await using demo = startDemo(["--port", "0", "--keep", "company"], folder.path)
  await demo.invitation()
  expect(await demo.stop()).toBe(0)

  const cwd = join(folder.path, "company")
  await using server = await startServer({ cwd, env: { REWARDS_SECURITY__SECRET_KEY: undefined } })
  const body = new URLSearchParams({ username: "carla-mendes", password: "thanks a lot" })
  expect((await fetch(`${server.url}/login`, { method: "POST", body })).status).toBe(200)
  await server.stop()

  expect(await runCommand(["demo", "--keep", "company"], { cwd: folder.path })).toEqual(
    refused("company is not empty: name a new folder, or run `rewards serve` in it if it holds a demo"),
  )
})

test("a port in use, or none at all, is refused before the year is filled", async () => {
  await using folder = await temporaryFolder()
  using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() })

  expect(await runCommand(["demo", "--port", `${other.port}`], inTemporary(folder.path))).toEqual(
    refused(`port ${other.port} on 127.0.0.1 is in use; end the other process or set --port`),
  )
  expect(await runCommand(["demo", "--port", "many"], inTemporary(folder.path))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("server.port"),
  })
  expect(readdirSync(folder.path)).toEqual([])
})

function startDemo(args: readonly string[], folder: string, env = {}) {
  const child = Bun.spawn([executable, "demo", ...args], {
    ...inTemporary(folder, env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const stop = async () => {
    child.kill("SIGTERM")
    return child.exited
  }
  return {
    /** The line that it prints once it can be used. */
    async invitation(): Promise<string> {
      const { value } = await lines.read()
      return value?.trimEnd() ?? (await new Response(child.stderr).text())
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}
