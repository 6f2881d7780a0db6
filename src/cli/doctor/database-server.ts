import type { ServerDiagnosis } from "../../storage/maintenance.ts"
import { checkContents, notUpToDate } from "./database.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

interface Options {
  /** In production. */
  readonly isStrict: boolean
  /** The setting db.pool_size. */
  readonly poolSize: number
}

/** Turns the diagnosis of a PostgreSQL server into findings. */
export async function checkDatabaseServer(
  diagnosis: ServerDiagnosis,
  { isStrict, poolSize }: Options,
): Promise<readonly Finding[]> {
  const { contents, isNew, pending, version, bytes } = diagnosis
  const megabytes = `${(bytes / 1e6).toFixed(1)} MB`
  return [
    pending.length > 0
      ? notUpToDate(pending)
      : ok("database", `PostgreSQL ${version}, ${isNew ? "empty: the first start creates the tables" : megabytes}`),
    checkRights(diagnosis),
    ...checkDurability(diagnosis),
    checkConnections(diagnosis, poolSize),
    checkStandbys(diagnosis),
    checkServerClock(diagnosis),
    ...(contents === null ? [] : await checkContents(contents, isStrict)),
  ]
}

function checkRights({ mayMigrate, user }: ServerDiagnosis): Finding {
  if (mayMigrate) return ok("rights", `${user} may create and change tables`)
  return bad(
    "rights",
    `${user} may not create tables, or does not own those that are there, so the next version cannot migrate them`,
    `make it the owner of the database and its tables: REASSIGN OWNED BY … TO "${user}"`,
  )
}

/** Settings with which PostgreSQL acknowledges what a crash may take back. */
function checkDurability({ fsync, fullPageWrites, synchronousCommit }: ServerDiagnosis): readonly Finding[] {
  const findings = [
    ...(fsync === "on"
      ? []
      : [bad("durability", "fsync is off: a crash of the machine destroys the database", turnOn("fsync"))]),
    ...(fullPageWrites === "on"
      ? []
      : [
          bad(
            "durability",
            "full_page_writes is off: a crash of the machine may damage pages",
            turnOn("full_page_writes"),
          ),
        ]),
    ...(synchronousCommit === "off"
      ? [
          bad(
            "durability",
            "synchronous_commit is off: a crash loses transfers that were answered 201",
            turnOn("synchronous_commit"),
          ),
        ]
      : []),
  ]
  return orOk(findings, "durability", `fsync and full_page_writes are on, synchronous_commit is ${synchronousCommit}`)
}

const turnOn = (setting: string): string => `ALTER SYSTEM SET ${setting} = on; SELECT pg_reload_conf()`

/** Besides its pool, a process that serves streams listens on one connection. */
const listenersOfProcess = 1

function checkConnections({ maxConnections, usedConnections, processes }: ServerDiagnosis, poolSize: number): Finding {
  const wanted = processes * (poolSize + listenersOfProcess)
  const room = Math.floor(maxConnections / (poolSize + listenersOfProcess))
  const found = `${usedConnections} of ${maxConnections} in use; room for ${room} processes with db.pool_size ${poolSize}`
  const cure = "raise max_connections of the server, or lower db.pool_size"
  if (wanted > maxConnections || room === 0)
    return bad("connections", `${processes} processes may open ${wanted}, and the server has ${maxConnections}`, cure)
  // A rolling upgrade runs one process more for a moment.
  if (usedConnections > 0.9 * maxConnections || wanted + poolSize + listenersOfProcess > maxConnections)
    return warn("connections", found, cure)
  return ok("connections", found)
}

function checkStandbys({ standbys, synchronousStandbys, synchronousCommit }: ServerDiagnosis): Finding {
  if (standbys === null)
    return synchronousStandbys === ""
      ? ok("standby", "none is synchronous; this user may not see others (GRANT pg_monitor)")
      : ok("standby", `synchronous_standby_names is set; this user may not see their state (GRANT pg_monitor)`)
  const shown = standbys.map(({ name, state, sync, lagMs }) => `${name}: ${sync} ${state}, ${lagMs ?? 0} ms behind`)
  const isSynchronous = standbys.some(({ sync }) => sync === "sync" || sync === "quorum")
  if (synchronousStandbys !== "" && !isSynchronous)
    return bad(
      "standby",
      "synchronous_standby_names names a standby that is not connected, so every commit waits",
      "start the standby, or set synchronous_standby_names = '' until it is back",
    )
  if (isSynchronous && synchronousCommit === "local")
    return warn(
      "standby",
      "synchronous_commit is local, so commits do not wait for the standby",
      turnOn("synchronous_commit"),
    )
  return ok("standby", shown.join("; ") || "there is none")
}

const toleranceMs = 2000

function checkServerClock({ clockDifferenceMs }: ServerDiagnosis): Finding {
  const seconds = (Math.abs(clockDifferenceMs) / 1000).toFixed(1)
  if (Math.abs(clockDifferenceMs) <= toleranceMs)
    return ok("database clock", "agrees with this machine's within two seconds")
  const which = clockDifferenceMs > 0 ? "ahead of" : "behind"
  return warn(
    "database clock",
    `the database server's is ${seconds} s ${which} this machine's`,
    "let NTP set the clocks of all machines: limits and expiry times are compared between processes",
  )
}
