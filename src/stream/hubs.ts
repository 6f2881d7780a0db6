import type { Store } from "../domain/store.ts"
import { createFeedHub } from "./feed-hub.ts"
import { contractFormats } from "./frames.ts"
import { createHub, type HubOptions, type HubReading } from "./hub.ts"

interface Dependencies extends Pick<HubOptions<never>, "clock" | "pollMs" | "log"> {
  readonly store: Pick<Store, "ledger" | "recognitions" | "sessions">
}

/** The streams of this server: the contract's, and the feed's. */
export function createHubs({ store, ...watching }: Dependencies) {
  const hub = createHub({
    ledger: store.ledger,
    formats: contractFormats,
    accessChanges: store.sessions.accessChanges,
    ...watching,
  })
  const feedHub = createFeedHub({ store, ...watching })

  return {
    hub,
    feedHub,
    /** Of both together. */
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
