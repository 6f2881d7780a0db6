/**
 * Runs an async function in an effect, as in `useEffect(() => untilCleanup(load), [])`. `isWanted` returns false after
 * clean-up: what arrives later is ignored.
 */
export function untilCleanup(begin: (isWanted: () => boolean) => Promise<void>): () => void {
  let isWanted = true
  void begin(() => isWanted)
  return () => {
    isWanted = false
  }
}
