import { expect, test } from "bun:test"
import { refused } from "../cli/operator.ts"
import { createClient } from "../support/client.ts"
import { runCommand, type StartedServer, startServer } from "../support/executable.ts"
import { cluster, startCluster, testDatabase, throughPort } from "../support/postgres.ts"
import { startTcpProxy } from "../support/tcp-proxy.ts"

const unavailable = {
  status: 503,
  headers: { "retry-after": "5" },
  body: { detail: "The database cannot be used at the moment; try again later" },
}

async function asAdmin({ url }: StartedServer) {
  const { body } = await createClient(url).submit<{ access_token: string }>("/token", {
    username: "admin",
    password: "admin",
  })
  return createClient(url, { authorization: `Bearer ${body.access_token}` })
}

/** What `rewards healthcheck` says, which knows the secret. */
const healthOf = ({ url }: StartedServer) =>
  runCommand(["healthcheck", "--ready"], { env: { REWARDS_SERVER__PORT: new URL(url).port } })

test("while PostgreSQL is down requests are 503 and the process keeps running; afterwards it serves again, and nothing is lost", async () => {
  const own = await startCluster({ synchronous_commit: "on" })
  try {
    const env = { REWARDS_DB__URL: own.url("postgres") }
    await using server = await startServer({ env })
    const ana = ["create-user", "Ana", "ana@example.com", "a password", "sales"]
    expect(await runCommand(ana, { env })).toMatchObject({ status: 0 })
    const admin = await asAdmin(server)
    let acknowledged = 0
    const send = async () => {
      const answer = await admin.post("/transaction/ana/", { value: 1 })
      if (answer.status === 201) acknowledged += 1
      return answer
    }
    expect(await send()).toMatchObject({ status: 201 })

    process.kill(own.pid, "SIGKILL")
    // The server's processes notice one after another.
    for (let answer = await send(); answer.status === 201; ) answer = await send()
    expect(await send()).toEqual(unavailable)
    expect(await createClient(server.url).get("/user/")).toEqual(unavailable)
    expect(await createClient(server.url).get("/healthz")).toMatchObject({ status: 200 })
    expect(await createClient(server.url).get("/readyz")).toMatchObject({ status: 503, body: { status: "not ready" } })
    expect(await healthOf(server)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /accepts no writes: ERR_POSTGRES_CONNECTION_\w+; no PostgreSQL server answers; check that it runs/,
      ),
    })

    await own.start()
    expect(await send()).toMatchObject({ status: 201 })
    const { body } = await admin.get<{ balance: number; total: number }>("/transaction/ana/")
    expect(body).toMatchObject({ balance: acknowledged, total: acknowledged })
    expect(await server.stop()).toBe(0)
    expect(server.stderr.join("\n")).toMatch(/"cure":"(no PostgreSQL server answers; check|the server is starting)/)
    expect(server.stderr.join("\n")).not.toContain(encodeURIComponent("owner's pass/word"))
  } finally {
    await own.stop()
  }
})

test("every request is 503 while PostgreSQL does not answer", async () => {
  await using database = await testDatabase()
  await using proxy = await startTcpProxy(await cluster())
  const env = { REWARDS_DB__URL: throughPort(database.url, proxy.port), REWARDS_DB__POOL_SIZE: "2" }
  await using server = await startServer({ env })
  const admin = await asAdmin(server)

  proxy.stall()
  const stranger = createClient(server.url)
  expect(
    await Promise.all([
      admin.post("/transaction/admin/", { value: 1 }),
      admin.get("/transaction/"),
      stranger.get("/user/"),
      stranger.submit("/token", { username: "admin", password: "admin" }),
    ]),
  ).toEqual([unavailable, unavailable, unavailable, unavailable])
  expect(await stranger.get("/healthz")).toMatchObject({ status: 200 })
  expect(await healthOf(server)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/accepts no writes: ERR_POSTGRES_(STALLED|CONNECTION_TIMEOUT)/),
  })

  proxy.restore()
  proxy.cut()
  expect(await admin.post("/transaction/admin/", { value: 1 })).toMatchObject({ status: 201 })
})

test("two processes on one database see each other's changes at once", async () => {
  await using database = await testDatabase()
  const env = { REWARDS_DB__URL: database.url }
  await using one = await startServer({ env })
  await using other = await startServer({ env })
  const ana = ["create-user", "Ana", "ana@example.com", "a password", "sales"]
  expect(await runCommand(ana, { env })).toMatchObject({ status: 0 })

  const [here, there] = [await asAdmin(one), await asAdmin(other)]
  expect(await here.post("/transaction/ana/", { value: 5 })).toMatchObject({ status: 201 })
  expect(await there.get("/transaction/ana/")).toMatchObject({ body: { balance: 5, total: 1 } })
  expect(await here.patch("/user/ana/", { bio: "hello" })).toMatchObject({ status: 200 })
  expect(await there.get("/user/ana/")).toMatchObject({ body: { bio: "hello" } })
})

test("a start that cannot use the database gives the reason without the password", async () => {
  await using database = await testDatabase()
  const env = { REWARDS_DB__URL: database.url.replace(/:[^:@]+@/, ":s3cret@") }
  const { port } = new URL(database.url)
  expect(await runCommand(["user-list"], { env })).toEqual(
    refused(
      `cannot use the database postgres://postgres@127.0.0.1:${port}/${database.name}: the server refuses the password ` +
        "of postgres; check user and password in db.url",
    ),
  )
})

test("a server whose settings ask for backups says at its start that it makes none of PostgreSQL", async () => {
  await using database = await testDatabase()
  await using server = await startServer({ env: { REWARDS_DB__URL: database.url, REWARDS_BACKUP__EVERY_HOURS: "24" } })
  expect(await server.stop()).toBe(0)
  expect(server.stderr.join("\n")).toContain(
    "backup.every_hours: the server makes no backups of PostgreSQL; remove it, and back up PostgreSQL itself, as with pg_dump",
  )
})
