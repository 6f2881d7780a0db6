/** Longer than a passing test waits, however busy the machine is. */
const patienceMs = 60_000

/** Resolves when the condition is true; throws after a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const late = Date.now() + patienceMs
  while (!(await condition())) {
    if (Date.now() > late) throw new Error(`still waiting after ${patienceMs} ms: ${condition}`)
    await Bun.sleep(1)
  }
}
