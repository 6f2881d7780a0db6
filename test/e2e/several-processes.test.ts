import { expect, test } from "bun:test"
import { createClient } from "../support/client.ts"
import { startServer, temporaryFolder } from "../support/executable.ts"

const password = "the password of admin"

test("of 36 wrong log-ins sent at once to three processes, 10 are tried, and a restart does not forget them", async () => {
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
