import { afterAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { migrations } from "../../src/storage/sqlite/database/migrations.ts"
import { readLedger } from "../durability/ledger.ts"
import { ok, refused } from "../support/answers.ts"
import { createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { runCommand, temporaryFolder } from "../support/executable.ts"
import { startTestServer, type TestServer } from "../support/server.ts"
import { record } from "./record.ts"
import { endings, recordings, releases, type Told, toldIn, unpack } from "./recorded.ts"

const fresh = await temporaryFolder()
afterAll(() => fresh[Symbol.asyncDispose]())
await record(fresh.path)

const writers = [
  ...releases.map((release) => ({ writer: release, recording: join(recordings, release) })),
  { writer: "this version", recording: fresh.path },
]

test("there is a database of every release in the CHANGELOG", () => {
  const changelog = readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8")
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version = ""]) => version)
  expect(releases).toEqual(released.sort())
})

for (const { writer, recording } of writers)
  for (const ending of endings) {
    const database = `the database that ${writer} wrote, ${ending},`

    test(`${database} gives the same answers: people, balances, history`, async () => {
      await using opened = await open()
      const admin = createClient(opened.server.url, bearer(opened.told.tokens.access_token))
      for (const [path, answer] of Object.entries(opened.told.answers))
        expect(await admin.get(path)).toMatchObject({ status: 200, body: answer as object })
      expect(readLedger(opened.path).faults).toEqual([])
    })

    test(`${database} keeps all credentials: passwords, tokens, the session; a spent reset token stays spent`, async () => {
      await using opened = await open()
      const { told, server } = opened
      for (const [username, password] of Object.entries(told.passwords)) await server.as({ username, password })
      const session = createClient(server.url, { cookie: `session_id=${told.sessionId}` })
      expect(await session.get("/transaction/ana-souza/")).toMatchObject({ status: 200 })
      const { refresh_token } = told.tokens
      expect(await server.anybody.post("/refresh_token", { refresh_token })).toMatchObject({ status: 200 })

      const change = { password: "another password", password_confirm: "another password" }
      const setPassword = (username: string, token: string) =>
        server.anybody.post(`/user/${username}/password/?pwd_reset_token=${token}`, change)
      expect(await setPassword("bruno-lima", told.resetTokens.spent)).toEqual(
        refused(403, "You are not allowed to change this user's password"),
      )
      expect(await setPassword("ana-souza", told.resetTokens.good)).toMatchObject({ status: 200 })
      expect(await session.get("/transaction/ana-souza/")).toEqual(refused(401, "Invalid Session ID"))
    })

    test(`${database} can be used further: the next transaction, the balance as limit, the waiting mail`, async () => {
      await using opened = await open()
      const { told, server, path } = opened
      const { total, lastId, bruno } = stateOf(told)
      const asBruno = await server.as({ username: "bruno-lima", password: told.passwords["bruno-lima"] ?? "" })

      expect(await asBruno.post("/transaction/ana-souza/", { value: bruno + 1 })).toEqual(
        refused(400, "Insufficient balance"),
      )
      expect(await asBruno.post("/transaction/ana-souza/", { value: bruno })).toMatchObject({ status: 201 })
      expect(await asBruno.get("/transaction/?order_by=-date&size=1")).toMatchObject(
        ok({ items: [{ id: lastId + 1, value: bruno, user: "ana-souza", from_user: "bruno-lima" }] }),
      )
      expect(readLedger(path).faults).toEqual([])
      expect(readLedger(path).transactions).toHaveLength(total + 1)

      server.clock.advance(3_600_000)
      server.app.worker.wake()
      while (server.mails.length === 0) await Bun.sleep(1)
      expect(server.mails.map(({ to }) => to)).toEqual([told.waitingMailTo])
    })

    test(`${database} is migrated by the executable once`, async () => {
      await using folder = await temporaryFolder()
      await unpack(recording, ending, join(folder.path, "rewards.db"))
      const migrate = async () => (await runCommand(["migrate", "--json"], { cwd: folder.path })).stdout
      const tags = JSON.parse(await migrate())
      expect(tags).toEqual(migrations.slice(migrations.length - tags.length).map(({ tag }) => tag))
      expect(await migrate()).toBe("[]\n")
      const { stdout } = await runCommand(["user-list", "--json"], { cwd: folder.path })
      const usernames = JSON.parse(stdout).map(({ username }: { username: string }) => username)
      expect(usernames).toEqual(Object.keys(toldIn(recording).passwords))
    })

    /** Served by this version, at the time of its writing. */
    async function open() {
      const folder = await temporaryFolder()
      const path = join(folder.path, "rewards.db")
      const told = toldIn(recording)
      await unpack(recording, ending, path)
      const server: TestServer = await startTestServer({
        settings: { "db.path": path, "security.secret_key": told.secretKey },
        startsAt: told.writtenAt,
      })
      return {
        told,
        path,
        server,
        async [Symbol.asyncDispose]() {
          await server[Symbol.asyncDispose]()
          await folder[Symbol.asyncDispose]()
        },
      }
    }
  }

function stateOf({ answers }: Told) {
  const { items, total } = answers["/transaction/"] as { items: readonly { id: number }[]; total: number }
  const users = answers["/user/?show_balance=true"] as readonly { username: string; balance: number }[]
  const bruno = users.find(({ username }) => username === "bruno-lima")?.balance ?? 0
  return { total, lastId: items.at(-1)?.id ?? 0, bruno }
}
