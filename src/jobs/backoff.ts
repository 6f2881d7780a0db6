/**
 * The pause before the next attempt: 5 s, 10 s, 20 s and so on up to 15 min, with a jitter of 20 %, so that jobs that
 * failed together are not retried together.
 */
export function backoffMs(attempts: number, random: number): number {
  const base = Math.min(5_000 * 2 ** (attempts - 1), 15 * 60_000)
  return Math.round(base * (0.8 + 0.4 * random))
}
