import type { LedgerStore } from "../domain/store.ts"
import type { Log } from "../log.ts"
import type { createLive } from "./live.ts"

const longestRestMs = 50
const dashboardsPerMs = 200

/** Ms between two rounds of publications to so many live dashboards. One writes to each of them, 80 ms for 10,000,
 *  however many transactions it carries: what is committed meanwhile goes out together. To a few, each goes out at once. */
export const restMs = (live: number): number => Math.min(longestRestMs, Math.floor(live / dashboardsPerMs))

interface FollowerOptions {
  readonly ledger: Pick<LedgerStore, "onAppend">
  readonly live: Pick<ReturnType<typeof createLive>, "isBehind" | "playRound" | "size">
  /** Called when the live dashboards have moved on. */
  readonly onAdvance: () => void
  readonly log: Log
}

/** Moves the live dashboards along the ledger, round after round until they are at its end. */
export function createFollower({ ledger, live, onAdvance, log }: FollowerOptions) {
  let asked = false
  let advancing = false
  let resting = false
  let stopped = false
  let unsubscribe = () => {}

  return {
    advance,
    start() {
      unsubscribe = ledger.onAppend(() => void advance())
      return advance()
    },
    stop() {
      stopped = true
      unsubscribe()
    },
  }

  /** One at a time; who asks while it runs or rests has it run again, so that a burst of commits goes out together. */
  async function advance() {
    asked = true
    if (advancing || resting) return
    advancing = true
    try {
      while ((asked || live.isBehind()) && !resting && !stopped) {
        asked = false
        if (await live.playRound()) rest()
        onAdvance()
      }
    } catch (error) {
      log.error("stream: the ledger cannot be followed; the next poll tries again", { error: String(error) })
    }
    advancing = false
  }

  function rest() {
    const ms = restMs(live.size())
    if (ms === 0) return
    resting = true
    setTimeout(() => {
      resting = false
      if (asked || live.isBehind()) void advance()
    }, ms)
  }
}
