import { createTally, type Tally, type TallyReading } from "./tally.ts"

export interface RequestReading {
  readonly labels: { readonly method: string; readonly route: string; readonly status: string }
  readonly value: TallyReading
}

/** Seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What callers make up counts as one, so that nobody can fill the memory with names. */
const other = "other"
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** Latencies of requests by method, route and status. */
export function createRequests() {
  const tallies = new Map<string, Map<string, Map<number, Tally>>>()

  return {
    add(method: string, route: string | null, status: number, ms: number) {
      const byMethod = inside(tallies, route ?? other, newMap<string, Map<number, Tally>>)
      const byStatus = inside(byMethod, methods.has(method) ? method : other, newMap<number, Tally>)
      inside(byStatus, status, newTally).add(ms / 1000)
    },
    read: (): RequestReading[] =>
      [...tallies].flatMap(([route, byMethod]) =>
        [...byMethod].flatMap(([method, byStatus]) =>
          [...byStatus].map(([status, tally]) => ({
            labels: { method, route, status: String(status) },
            value: tally.read(),
          })),
        ),
      ),
  }
}

function inside<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}

const newMap = <K, V>() => new Map<K, V>()
const newTally = () => createTally(bounds)
