import { expect, test } from "bun:test"
import { refused } from "../cli/operator.ts"
import { namesOf } from "../metrics/exposition.ts"
import { runCommand, type StartedServer, startServer } from "../support/executable.ts"

const metricsOn = { REWARDS_METRICS__LISTEN: "127.0.0.1:0" }

const metricsUrl = ({ stderr }: StartedServer): string =>
  /"message":"serving metrics","url":"([^"]+)"/.exec(stderr.join("\n"))?.[1] ?? ""

test("with metrics.listen the executable serves metrics beside the service, and still ends with exit status 0", async () => {
  await using server = await startServer({ env: metricsOn })
  const text = await (await fetch(metricsUrl(server))).text()
  expect(namesOf(text)).toContain("rewards_ledger_transactions")
  expect(await server.stop()).toBe(0)
})

test("a metrics address that is in use stops the start with one line", async () => {
  await using server = await startServer({ env: metricsOn })
  const { host, port } = new URL(metricsUrl(server))
  expect(await runCommand(["serve", "--port", "0"], { env: { REWARDS_METRICS__LISTEN: host } })).toEqual(
    refused(`port ${port} on 127.0.0.1 is in use; end the other process or set metrics.listen`),
  )
})

test("healthcheck ends with exit status 0 while the server runs, and with 1 otherwise", async () => {
  await using server = await startServer()
  const healthcheck = ["healthcheck", "--ready", "--url", server.url]
  expect(await runCommand(healthcheck)).toMatchObject({ status: 0, stderr: "" })
  await server.stop()
  expect(await runCommand(healthcheck)).toEqual(refused(`${server.url}/readyz cannot be reached: connection refused`))
})
