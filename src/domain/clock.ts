/**
 * How far the clocks of this machine's processes, of other servers and of a database may differ. A stored time that lies
 * further ahead than it can mean was written by a wrong clock.
 */
export const clockSkewMs = 5 * 60_000

/** Whether a time of something that has happened comes from a wrong clock. */
export const isFromFuture = (at: number, now: number): boolean => at > now + clockSkewMs
