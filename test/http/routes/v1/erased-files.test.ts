import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { backUp } from "../../../../src/storage/sqlite/maintenance/backup.ts"
import { verifyFile } from "../../../../src/storage/sqlite/maintenance/verify.ts"
import { noSuchUser, unauthenticated } from "../../../support/answers.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"
import { housekeeping, traces, workedHere } from "./worked-here.ts"

/** Those of the texts that a file holds, in any case. */
function foundIn(file: string, texts: readonly string[]): string[] {
  const content = existsSync(file) ? readFileSync(file).toString("utf8").toLowerCase() : ""
  return texts.filter((text) => content.includes(text))
}

async function everywhere(server: TestServer, texts: readonly string[]) {
  const { path } = server.app.config.db
  const backup = `${path}.copy`
  await backUp({ path, file: backup, now: server.clock.now() })
  return [path, `${path}-wal`, backup].flatMap((file) => foundIn(file, texts))
}

test("after an erasure, no database file and no new backup contains the person's name, address or words", async () => {
  await using server = await startTestServer()
  const { admin, account, zoe, colleagues } = await workedHere(server)
  expect(await everywhere(server, traces)).toEqual(expect.arrayContaining([...traces]))
  await admin.patch(account, { active: false, return_points: true })

  const erased = await admin.post(`${account}/erasure`, { reasons: "all" })

  expect(erased).toMatchObject({
    status: 200,
    body: { username: "erased-4", name: "Former colleague", email: "erased-4@erased.invalid", bio: null, avatar: null },
  })
  expect(await everywhere(server, traces)).toEqual([])
  server.clock.advance(10 * 60_000)
  await housekeeping(server) // writes what it kept in memory of log-ins
  expect(await everywhere(server, traces)).toEqual([])
  expect(await everywhere(server, ["kept-7"])).toContain("kept-7")
  expect(await verifyFile({ path: server.app.config.db.path, accepts: false })).toEqual({
    transactions: 124,
    findings: [],
  })
  expect(await admin.get(account)).toEqual(noSuchUser)
  expect(await zoe.get("/api/v1/me")).toEqual(unauthenticated)

  const items = (await colleagues[0].get<{ items: { sender: { username: string } }[] }>("/api/v1/feed?username=ana"))
    .body
  expect(JSON.stringify(items)).toContain("Former colleague")
  expect((await colleagues[0].get("/transaction/?order_by=from_user&size=100")).status).toBe(200)
  expect(JSON.stringify((await colleagues[0].get("/transaction/")).body)).toContain("erased-4")
})

test("an erasure deletes only the requested reasons and keeps what others wrote", async () => {
  await using server = await startTestServer()
  const { admin, account } = await workedHere(server)
  await admin.patch(account, { active: false })

  expect(await admin.post(`${account}/erasure`, { reasons: "none" })).toMatchObject({ status: 200 })
  expect(await everywhere(server, ["trace-written-7 ", "trace-received-7 ", "nadel"])).toHaveLength(4)
  expect(await admin.post("/api/v1/users/erased-4/erasure", { reasons: "written" })).toMatchObject({ status: 200 })

  expect(new Set(await everywhere(server, ["trace-written", "trace-received"]))).toEqual(new Set(["trace-received"]))
  expect((await verifyFile({ path: server.app.config.db.path, accepts: false })).findings).toEqual([])
})
