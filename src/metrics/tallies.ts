import { createRequests } from "./requests.ts"
import { createTally } from "./tally.ts"

export type Tallies = ReturnType<typeof createTallies>

/** Everything that is counted where it happens, in plain numbers: the way of a transfer is short. */
export function createTallies() {
  const requests = createRequests()
  const entries = createTally([1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
  const commits = createTally([0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5])
  const delays = createTally([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5])

  return {
    request: requests.add,
    /** One commit of the ledger: how many entries shared it, and how long it took. */
    commit(commit: { readonly entries: number; readonly ms: number }) {
      entries.add(commit.entries)
      commits.add(commit.ms / 1000)
    },
    delay: (ms: number) => delays.add(ms / 1000),
    readings: {
      requests: requests.read,
      /** Entries. */
      batches: entries.read,
      /** Seconds. */
      commits: commits.read,
      /** Seconds. */
      delays: delays.read,
    },
  }
}
