import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { ServerWebSocket } from "bun"
import type { StreamEntry } from "../../src/domain/ledger/model.ts"
import type { LedgerStore } from "../../src/domain/ledger/ports.ts"
import type { OpenStore } from "../../src/storage/open-store.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { transactionFormats } from "../../src/stream/frames.ts"
import { createHub, type HubOptions } from "../../src/stream/hub.ts"
import { type StreamClient, websocket } from "../../src/stream/socket.ts"
import { createLog } from "../../src/support/log.ts"
import { folderForFiles } from "../support/files.ts"
import { until } from "../support/until.ts"
import { watch } from "./watching.ts"

/** The time of the test clock and of every transaction; only `moveClock` moves the clock. */
export const noon = Date.UTC(2026, 10, 21, 12, 0, 0, 123)

type Ledger = HubOptions<StreamEntry>["ledger"]

interface StreamOptions {
  readonly pollMs?: number
  /** How often every dashboard gets a heartbeat; absent: none does. */
  readonly heartbeatMs?: number
  /** Names of the receiver and the sender of every transaction. */
  readonly names?: readonly [string, string]
  /** Wraps the ledger that the hub reads. */
  readonly through?: (ledger: Ledger) => Ledger
  /** Whether the credential of the dashboard with this `after` is still valid; absent: none is required. */
  readonly admits?: (after: number | null) => boolean
  /** When every credential expires. */
  readonly expiresAt?: number
}

/** A hub on a real server and a real database. Bruno sends to Ana. The n-th transaction is worth n points. */
export async function openStream(options: StreamOptions = {}) {
  const {
    pollMs = 5,
    names = ["Ana", "Bruno"],
    through = (it) => it,
    heartbeatMs,
    admits,
    expiresAt = Number.POSITIVE_INFINITY,
  } = options
  const folder = mkdtempSync(join(folderForFiles(), "rewards-stream-"))
  const path = join(folder, "rewards.db")
  const store = await openStore({ path })
  const [receiverId, senderId] = await Promise.all(names.map((name, index) => createUser(store, name, index)))
  let value = 0
  let now = noon
  let looks = 0
  let accessChanges = 0
  let peak = 0
  const logged: string[] = []
  const sockets: ServerWebSocket<StreamClient>[] = []

  const hub = createHub({
    ledger: through({ ...store.ledger, revision: store.users.revision }),
    formats: transactionFormats,
    programme: async () => ({ amounts_shown: "everyone" }),
    accessChanges: async () => accessChanges,
    clock: () => {
      looks += 1
      return now
    },
    pollMs,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
    log: createLog((text) => logged.push(text)),
  })
  const { open } = websocket
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request, server) {
      const parameter = new URL(request.url).searchParams.get("after")
      const after = parameter === null ? null : Number(parameter)
      const data = hub.client({
        format: after === null ? "plain of all" : "resumable of all",
        getsHeartbeats: heartbeatMs !== undefined,
        after: after ?? 0,
        checkAdmission: admits ? async () => (admits(after) ? expiresAt : null) : null,
      })
      return server.upgrade(request, { data }) ? undefined : new Response(null, { status: 405 })
    },
    websocket: {
      ...websocket,
      open(socket) {
        sockets.push(socket)
        return open?.(socket)
      },
    },
  })
  await hub.start()
  const watching = setInterval(measure)

  function measure() {
    for (const socket of sockets) peak = Math.max(peak, socket.getBufferedAmount())
  }

  /** Appends `count` transactions at once. */
  async function post(count: number, ledger: Pick<LedgerStore, "post"> = store.ledger) {
    await Promise.all(Array.from({ length: count }, () => postOne(ledger)))
    measure()
  }
  function postOne(ledger: Pick<LedgerStore, "post"> = store.ledger) {
    value += 1
    return ledger.post(
      { kind: "transfer", receiverId: receiverId ?? 0, senderId: senderId ?? 0, value, date: noon },
      () => {},
    )
  }

  return {
    hub,
    path,
    post,
    postOne,
    logged,
    sockets,
    port: server.port ?? 0,
    /** The largest buffer of any dashboard so far, in bytes. */
    peakBuffered: () => peak,
    watch: (after?: number) => watch(`ws://127.0.0.1:${server.port}/${after === undefined ? "" : `?after=${after}`}`),
    /** Resolves when `count` dashboards have connected. */
    opened: (count: number) => until(() => sockets.length >= count),
    /** Acts as if a session had ended. */
    changeAccess() {
      accessChanges += 1
    },
    moveClock(ms: number) {
      now += ms
    },
    /** Resolves when the hub has polled twice more. */
    async looks() {
      const target = looks + 2
      await until(() => looks >= target)
    },
    async close() {
      clearInterval(watching)
      hub.stop()
      await server.stop(true)
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const createUser = async (store: OpenStore, name: string, index: number) => {
  const username = `user-${index}`
  const rest = { dept: "sales", currency: "USD", avatar: null, bio: null, password: "-".repeat(60) }
  return (await store.users.create({ name, username, email: `${username}@example.com`, ...rest })).id
}
