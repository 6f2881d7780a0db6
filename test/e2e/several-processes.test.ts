import { expect, test } from "bun:test"
import { createClient } from "../support/client.ts"
import { callerOf } from "../support/credentials.ts"
import { startProcesses, startServer, temporaryFolder } from "../support/executable.ts"
import { until } from "../support/until.ts"

const password = "the password of admin"

test("ten of 36 simultaneous wrong log-ins at three processes are tried, and a restart keeps the count", async () => {
  await using folder = await temporaryFolder()
  const start = () => startServer({ cwd: folder.path, config: `[security]\nadmin_password = "${password}"\n` })
  await using first = await start()
  await using second = await start()
  await using third = await start()
  const clients = [first, second, third].map(({ url }) => createClient(url))

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, turn) =>
      clients.map((client) => client.submit("/token", { username: "admin", password: `guess ${turn}` })),
    ).flat(),
  )

  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  expect({ tried: count(401), limited: count(429) }).toEqual({ tried: 10, limited: 26 })
  await first.stop()
  await using restarted = await start()
  expect((await createClient(restarted.url).submit("/token", { username: "admin", password })).status).toBe(429)
})

test("every dashboard on every process gets each transaction once, in the order of the ledger, whichever process made it", async () => {
  await using server = await startProcesses(3, { config: `[security]\nadmin_password = "${password}"\n` })
  const admins = await Promise.all(server.all.map(({ url }) => callerOf(url, { username: "admin", password })))
  const dashboards = server.all.flatMap(({ url }) =>
    ["", "?after=0"].map((query) => watch(`${url}/transaction/ws${query}`)),
  )
  await Promise.all(dashboards.map(({ opened }) => opened))
  const send = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, turn) =>
        admins[turn % admins.length]?.post("/transaction/admin/", { value: turn + 1 }),
      ),
    )

  await send(90)
  await until(() => dashboards.every(({ values }) => values.length >= 90))
  await send(3) // what was sent twice would be there before these
  await until(() => dashboards.every(({ values }) => values.length >= 93))

  const { body } = await createClient(server.url, admins[0]?.credentials).get<{ items: { value: number }[] }>(
    "/transaction/?order_by=date&size=100",
  )
  const order = body.items.map(({ value }) => value)
  expect(order).toHaveLength(93)
  expect(dashboards.map(({ values }) => values)).toEqual(dashboards.map(() => order))
  for (const { socket } of dashboards) socket.close()
})

/** The values of the frames of a stream. */
function watch(address: string) {
  const socket = new WebSocket(address.replace("http", "ws"))
  const values: number[] = []
  const opened = new Promise((resolve) => {
    socket.onopen = resolve
  })
  socket.onmessage = ({ data }) => values.push(JSON.parse(data).value)
  return { socket, values, opened }
}
