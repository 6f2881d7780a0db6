import type { Store } from "../domain/store.ts"
import { recognitionFormats, transactionFormats } from "./frames.ts"
import { createHub, type HubOptions, type HubReading } from "./hub.ts"

/**
 * Browsers hide pings from scripts, so the app needs a message. After 2.5 intervals without any, it considers the
 * connection dead.
 */
const heartbeatMs = 10_000

interface Dependencies extends Pick<HubOptions<never>, "clock" | "pollMs" | "log"> {
  readonly store: Pick<Store, "ledger" | "recognitions" | "sessions">
}

/** The streams of this server: `hub` serves /transaction/ws, `feedHub` the feed of the app. */
export function createHubs({ store, ...rest }: Dependencies) {
  const { lastId, onAppend } = store.ledger
  const common = { accessChanges: store.sessions.accessChanges, ...rest }
  const hub = createHub({ ledger: store.ledger, formats: transactionFormats, ...common })
  const feedHub = createHub({
    ledger: { after: store.recognitions.after, lastId, onAppend },
    formats: recognitionFormats,
    heartbeat: { everyMs: heartbeatMs, text: (through) => JSON.stringify({ through }) },
    ...common,
  })

  return {
    hub,
    feedHub,
    /** The sums over both. */
    read(): HubReading {
      const [one, other] = [hub.read(), feedHub.read()]
      return {
        clients: one.clients + other.clients,
        buffered: one.buffered + other.buffered,
        dropped: one.dropped + other.dropped,
      }
    },
  }
}
