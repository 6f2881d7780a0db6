import { expect, test } from "bun:test"
import { chmodSync, cpSync, existsSync } from "node:fs"
import { join } from "node:path"
import { maintenanceOf } from "../../../../src/storage/postgres/maintenance/maintenance.ts"
import { temporaryFolder } from "../../../support/executable.ts"
import { type Cluster, clientOf, startCluster } from "../../../support/postgres.ts"
import { until } from "../../../support/until.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { storeAt, urlOf } from "./support.ts"

const transfer = { kind: "transfer", senderId: 1, receiverId: 2, value: 5, date: 1 } as const

test("a base backup and the archive restore a moment: everything until then, and nothing after it", async () => {
  await using folder = await temporaryFolder()
  chmodSync(folder.path, 0o777) // PostgreSQL may run as another user
  const [archive, base] = [folder.path, join(folder.path, "base")]
  const primary = await startCluster({ archive_mode: "on", archive_command: `cp %p ${archive}/%f` })
  let restored: Cluster | null = null
  try {
    const store = await storeAt(primary.url("postgres"))
    await threePeople(store)
    await store.ledger.post(transfer, allow)
    await store.close()
    process.kill(primary.pid, "SIGINT")
    await until(() => !existsSync(join(primary.data, "postmaster.pid")))
    cpSync(primary.data, base, { recursive: true })
    await primary.start()

    const later = await storeAt(primary.url("postgres"))
    const client = clientOf({ url: primary.url("postgres") })
    await later.ledger.post(transfer, allow)
    const [moment] = await client.query<{ time: string; log: string }>(
      "SELECT clock_timestamp()::text AS time, pg_walfile_name(pg_current_wal_lsn()) AS log",
    )
    const lost = await later.ledger.post({ ...transfer, value: 7 }, allow)
    await client.query("SELECT pg_switch_wal()")
    await until(() => existsSync(join(archive, moment?.log ?? "")))
    await Promise.all([client.close(), later.close()])

    restored = await startCluster(
      {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: moment?.time ?? "",
        recovery_target_action: "promote",
      },
      { "data/recovery.signal": "" },
      { data: base },
    )
    const url = restored.url("postgres")
    const watcher = clientOf({ url })
    const isWritable = () =>
      watcher.query("CREATE TABLE promoted ()").then(
        () => true,
        () => false,
      )
    await until(isWritable)
    await watcher.query("DROP TABLE promoted")
    await watcher.close()
    const { findings, transactions } = await maintenanceOf(urlOf(url)).verify({ accepts: false })
    expect({ findings, transactions }).toEqual({ findings: [], transactions: 2 })
    const again = await storeAt(url)
    expect(await again.ledger.post(transfer, allow)).toMatchObject({ id: lost.id })
    expect(await again.users.balanceOf(2)).toBe(15)
    await again.close()
  } finally {
    await primary.stop()
    await restored?.stop()
  }
}, 120_000)
