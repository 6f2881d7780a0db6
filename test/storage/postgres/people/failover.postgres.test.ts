import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { DomainError } from "../../../../src/domain/errors.ts"
import { createSessionStore } from "../../../../src/storage/auth/sessions.ts"
import { createUserStore } from "../../../../src/storage/people/users.ts"
import { createDatabase } from "../../../../src/storage/postgres/database/database.ts"
import { migrate } from "../../../../src/storage/postgres/database/migrations.ts"
import { clientOf, startCluster } from "../../../support/postgres.ts"
import { until } from "../../../support/until.ts"
import { threePeople } from "../../contract/people.ts"

test("after a failover to a server without the last commits, lost users and sessions are not found", async () => {
  const first = await startCluster()
  const stopFirst = async () => {
    process.kill(first.pid, "SIGINT")
    await until(() => !existsSync(join(first.data, "postmaster.pid")))
  }
  const prepared = clientOf({ url: first.url("postgres") })
  await migrate(prepared, { now: 1 })
  const { ana } = await threePeople({ users: createUserStore(createDatabase(prepared), async () => {}) })
  await prepared.close()
  await stopFirst()
  const second = await startCluster({}, {}, first)
  await first.start()

  const at = `${first.host}:${first.port}`
  const client = clientOf({ url: first.url("postgres").replace(at, `${at},${second.host}:${second.port}`) })
  const users = createUserStore(createDatabase(client), async () => {})
  const sessions = createSessionStore(createDatabase(client))
  try {
    const { id: _, ...like } = ana
    const lost = { ...like, username: "lost", name: "Lost Lima", email: "lost@example.com" }
    await users.create(lost)
    expect(await users.byUsername("lost")).toMatchObject({ name: "Lost Lima" })
    await sessions.open({ idHash: "lost", username: "ana", expiresAt: 9, openedAt: 1, address: null }, null)
    expect(await sessions.find("lost", 2)).not.toBeNull()

    await stopFirst()
    await until(async () => {
      try {
        return (await users.byIds([ana.id])).length === 1
      } catch (error) {
        if (error instanceof DomainError) return false
        throw error
      }
    })
    expect(await users.byUsername("lost")).toBeNull()
    expect(await sessions.find("lost", 2)).toBeNull()
  } finally {
    await client.close()
    await Promise.all([first.stop(), second.stop()])
  }
})
