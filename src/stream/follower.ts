import type { LedgerStore } from "../domain/ledger/ports.ts"
import type { Log } from "../support/log.ts"

const longestPauseMs = 50
const dashboardsPerMs = 200

/**
 * Pause between two rounds of publications, in milliseconds. A round writes to every live dashboard, which takes 80 ms
 * for 10,000 of them, however many transactions it carries. A pause lets the commits of a busy ledger share one round.
 * With few dashboards there is no pause.
 */
export const pauseMs = (live: number): number => Math.min(longestPauseMs, Math.floor(live / dashboardsPerMs))

interface FollowerOptions {
  readonly ledger: Pick<LedgerStore, "onAppend">
  readonly groups: {
    size(): number
    isBehind(): boolean
    publishRound(): Promise<boolean>
  }
  /** Called after each round, when the live dashboards have moved on. */
  readonly onAdvance: () => void
  readonly log: Log
}

/** Moves the live dashboards along the ledger, round after round until they have reached its end. */
export function createFollower({ ledger, groups, onAdvance, log }: FollowerOptions) {
  let isRequested = false
  let isAdvancing = false
  let isPausing = false
  let isStopped = false
  let unsubscribe = () => {}

  return {
    advance,
    start() {
      unsubscribe = ledger.onAppend(() => void advance())
      return advance()
    },
    stop() {
      isStopped = true
      unsubscribe()
    },
  }

  /**
   * One call at a time does the work. A call during a round or a pause leads to another round, so that a burst of
   * commits goes out together.
   */
  async function advance() {
    isRequested = true
    if (isAdvancing || isPausing) return
    isAdvancing = true
    try {
      while ((isRequested || groups.isBehind()) && !isPausing && !isStopped) {
        isRequested = false
        if (await groups.publishRound()) pause()
        onAdvance()
      }
    } catch (error) {
      log.error("stream: the ledger cannot be read; the next poll tries again", { error: String(error) })
    }
    isAdvancing = false
  }

  function pause() {
    const ms = pauseMs(groups.size())
    if (ms === 0) return
    isPausing = true
    setTimeout(() => {
      isPausing = false
      if (isRequested || groups.isBehind()) void advance()
    }, ms)
  }
}
