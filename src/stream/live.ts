import type { StreamEntry } from "../domain/store.ts"
import { burstBytes, type Dashboard, isFull } from "./dashboard.ts"
import { type Format, formats, frames } from "./frames.ts"

/** The dashboards that were sent everything through the head: they share one native publication for each format. */
export function createLive(publish: (topic: Format, frame: string) => void) {
  const dashboards: Record<Format, Set<Dashboard>> = { plain: new Set(), resumable: new Set() }
  let unseenBytes = 0

  return {
    isEmpty: () => formats.every((format) => dashboards[format].size === 0),
    has: (dashboard: Dashboard) => dashboards[dashboard.data.format].has(dashboard),

    join(dashboard: Dashboard) {
      dashboard.subscribe(dashboard.data.format)
      dashboards[dashboard.data.format].add(dashboard)
    },
    leave(dashboard: Dashboard) {
      dashboard.unsubscribe(dashboard.data.format)
      dashboards[dashboard.data.format].delete(dashboard)
    },

    /** Serialises once for each format that somebody watches. */
    publish(entry: StreamEntry) {
      for (const format of formats) {
        if (dashboards[format].size === 0) continue
        const frame = frames[format](entry)
        publish(format, frame)
        unseenBytes += Buffer.byteLength(frame)
      }
    },
    /** Whether so much was published that the buffers must be looked at before anything more is. */
    isBurstOver: () => unseenBytes >= burstBytes,
    /** Those who cannot take more. Right only after a turn of the event loop, which fills the buffers. */
    full(): Dashboard[] {
      unseenBytes = 0
      return formats.flatMap((format) => [...dashboards[format]].filter(isFull))
    },
  }
}
