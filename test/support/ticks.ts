import { currentTick } from "../../src/tick.ts"

/**
 * Runs `work`, and counts how often the event loop turns meanwhile. When the work waits for no input or output, its own
 * pauses alone decide the number.
 */
export async function countTicks<T>(work: () => Promise<T>): Promise<{ result: T; ticks: number }> {
  let ticks = 0
  let isRunning = true
  const count = () => {
    if (!isRunning) return
    ticks += 1
    setImmediate(count)
  }
  setImmediate(count)
  try {
    const result = await work()
    return { result, ticks }
  } finally {
    isRunning = false
  }
}

/** Adds up amounts, and answers how much the busiest tick took. */
export function createTickMeter() {
  let [tick, amount, most] = [currentTick(), 0, 0]
  return {
    add(more: number): void {
      if (tick !== currentTick()) [tick, amount] = [currentTick(), 0]
      amount += more
      most = Math.max(most, amount)
    },
    most: (): number => most,
  }
}
