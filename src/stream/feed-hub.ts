import type { Store } from "../domain/store.ts"
import { createHub, type Hub, type HubOptions } from "./hub.ts"
import { recognitionFormats } from "./recognition-frames.ts"

/** A browser sees no pings: without something said for two and a half of these, its line is dead. */
const heartbeatMs = 10_000

interface Dependencies extends Pick<HubOptions<never>, "clock" | "pollMs" | "log"> {
  readonly store: Pick<Store, "ledger" | "recognitions" | "sessions">
}

/** The stream of what people see of each other's recognition. */
export function createFeedHub({ store, ...watching }: Dependencies): Hub {
  const { lastId, onAppend } = store.ledger
  return createHub({
    ledger: { after: store.recognitions.after, lastId, onAppend },
    formats: recognitionFormats,
    accessChanges: store.sessions.accessChanges,
    heartbeat: { everyMs: heartbeatMs, text: (through) => JSON.stringify({ through }) },
    ...watching,
  })
}
