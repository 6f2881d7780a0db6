import { currentTick, nextTick } from "../../src/domain/ticks.ts"

/**
 * Runs `work`, and counts the ticks of the event loop meanwhile. When the work waits for no input or output, only its
 * own pauses determine the number.
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

/** Adds up amounts by tick, and returns the largest sum of a tick. */
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

/**
 * Starts each function in a separate tick. A promise that is rejected meanwhile causes no error until the test awaits
 * it.
 */
export async function inTicks<T>(starts: readonly (() => Promise<T>)[]): Promise<Promise<T>[]> {
  const started: Promise<T>[] = []
  for (const start of starts) {
    const one = start()
    one.catch(() => {})
    started.push(one)
    await nextTick()
  }
  return started
}
