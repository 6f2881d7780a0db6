interface Shown {
  readonly id: number
  readonly seen: boolean
}

/**
 * The newest notification such that it and all older ones were shown; null when there is none to mark. What came between may
 * not be shown yet: a reply to an old recognition is newer than a recognition that is still on its way. `newestFirst` is what the
 * server has now.
 */
export function newestToMark<One extends Shown>(
  newestFirst: readonly One[],
  wasShown: (notification: One) => boolean,
): One | null {
  const oldestNotShown = newestFirst.findLastIndex((one) => !one.seen && !wasShown(one))
  const newest = newestFirst[oldestNotShown + 1]
  return newest === undefined || newest.seen ? null : newest
}
