/** The domain's only source of time: milliseconds since the epoch. Tests move it. */
export type Clock = () => number

/**
 * How far the clocks of this machine's processes, of other servers and of a database may differ. A stored time that lies
 * further ahead than it can mean was written by a wrong clock.
 */
export const clockSkewMs = 5 * 60_000

/** Whether a time of something that has happened comes from a wrong clock. */
export const isFromFuture = (at: number, now: number): boolean => at > now + clockSkewMs

/** How long a stored time must lie in the future before it is corrected. */
const patienceMs = 3_600_000

/**
 * Tells whether a stored time, by its name, has come from the future for an hour, so that it may be corrected. Before that
 * the clock itself may be wrong: some machines start in the past, and set their clock a little later.
 */
export function createFutureCheck(clock: Clock): (name: string, at: number) => boolean {
  const seenAt = new Map<string, number>()

  return (name, at) => {
    const now = clock()
    const since = seenAt.get(name) ?? now
    if (isFromFuture(at, now)) seenAt.set(name, Math.min(since, now))
    else seenAt.delete(name)
    return isFromFuture(at, now) && now - since >= patienceMs
  }
}
