import { createRandom } from "../../src/cli/demo/dice.ts"
import { createClock } from "./clock.ts"

/*
 * A discrete-event simulation of the ledger on PostgreSQL. Each process gathers its waiting transfers into one batch. A
 * batch makes two round trips: the first takes the row lock of the ledger and reads the balances, the second writes and
 * commits. The process checks and hashes in between, while it holds the lock. A single process knows the balances from its
 * last batch: the first trip then only makes sure that nobody else has appended, and the process checks meanwhile.
 */

/** Processor time of one step of a batch. */
export interface Work {
  /** For each batch. */
  readonly batchUs: number
  /** For each transfer in the batch. */
  readonly transferUs: number
}

export interface Costs {
  /** In the process, for each transfer, outside the batch: to read the request, check it, and answer. */
  readonly requestUs: number
  /** In the process: to prepare what the first trip sends. */
  readonly prepare: Work
  /** In the database: to take the lock and read the balances. */
  readonly read: Work
  /** In the process, while it holds the lock: to check, to hash, and to prepare what the second trip sends. */
  readonly check: Work
  /** In the database: to write, without the wait of the commit. */
  readonly write: Work
  /** From the process to the database and back. Not processor time. */
  readonly roundTripUs: number
  /** The wait of a commit for its disk, and for a synchronous standby. Not processor time. */
  readonly commitUs: number
}

export interface Design extends Costs {
  readonly processes: number
  /** Each sends a transfer, waits for its answer, and sends the next one. They are spread evenly over the processes. */
  readonly callers: number
  /** Transfers in a batch, at most. */
  readonly batchLimit: number
  /** Cores of the machines of the processes. A process uses one at a time. */
  readonly cores: number
  /** Cores of the database server; null when it shares the cores of the processes. */
  readonly databaseCores: number | null
  /** Ledgers with a lock of their own; each transfer belongs to one of them at random. */
  readonly ledgers: number
  /** Whether a single process knows the balances from its last batch. */
  readonly knowsAccounts: boolean
  /** How random times are: 0 for constant times, 1 for an exponential distribution. */
  readonly spread: number
}

export interface Run {
  /** Simulated time that is measured. A warm-up of a fifth of it comes before. */
  readonly seconds: number
  readonly seed: number
  /** Called whenever a process gets or releases the lock of a ledger. */
  readonly trace?: (event: { readonly atUs: number; readonly ledger: number; readonly isHeld: boolean }) => void
}

export interface Simulated {
  readonly perSecond: number
  readonly meanMs: number
  readonly p99Ms: number
  /** Transfers in a batch, on average. */
  readonly batch: number
  /** The part of the time in which the lock was held: the average of all locks. */
  readonly lockUse: number
  /** The part of the time in which the cores worked. */
  readonly coreUse: number
  /** The same for the cores of the database server; equal to `coreUse` when it shares them. */
  readonly databaseUse: number
}

interface Transfer {
  readonly sentAt: number
  readonly ledger: number
}

/** Returns a function of which the second call calls `done`. */
function afterBoth(done: () => void) {
  let isSecond = false
  return () => {
    if (isSecond) done()
    isSecond = true
  }
}

/** How long work runs on a core before other work gets a turn. */
const sliceUs = 500

export function simulate(design: Design, { seconds, seed, trace }: Run): Simulated {
  const { processes, callers, batchLimit, ledgers, spread } = design
  const clock = createClock()
  const random = createRandom(seed)
  const varied = (us: number) => (spread === 0 ? us : us * (1 - spread - spread * Math.log(1 - random())))
  const workOf = ({ batchUs, transferUs }: Work, count: number) => varied(batchUs + transferUs * count)

  const [from, until] = [seconds * 0.2e6, seconds * 1.2e6]
  /** The part of an interval that lies in the measured time. */
  const measured = (start: number, end: number) => Math.max(0, Math.min(end, until) - Math.max(start, from))
  const latencies: number[] = []
  let batches = 0
  let batched = 0

  const appPool = createPool(design.cores)
  const databasePool = design.databaseCores === null ? appPool : createPool(design.databaseCores)
  const locks = Array.from({ length: ledgers }, (_, ledger) => createLock(ledger))
  for (let number = 0; number < processes; number += 1) {
    const share = Math.floor(callers / processes) + (number < callers % processes ? 1 : 0)
    startProcess(share)
  }
  clock.runUntil(until)

  latencies.sort((a, b) => a - b)
  const microseconds = seconds * 1e6
  return {
    perSecond: latencies.length / seconds,
    meanMs: latencies.reduce((sum, us) => sum + us, 0) / latencies.length / 1000,
    p99Ms: (latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN) / 1000,
    batch: batched / batches,
    lockUse: locks.reduce((sum, lock) => sum + lock.heldUs(), 0) / ledgers / microseconds,
    coreUse: appPool.busyUs() / design.cores / microseconds,
    databaseUse: databasePool.busyUs() / (design.databaseCores ?? design.cores) / microseconds,
  }

  /** A process with its callers. It has one batch at a time for each ledger. */
  function startProcess(share: number) {
    const thread = createThread()
    const waiting: Transfer[][] = Array.from({ length: ledgers }, () => [])
    const isBusy: boolean[] = Array.from({ length: ledgers }, () => false)
    const isKnown = design.knowsAccounts && processes === 1
    for (let caller = 0; caller < share; caller += 1) send()

    function send() {
      const ledger = ledgers === 1 ? 0 : Math.floor(random() * ledgers)
      thread.run(
        () => varied(design.requestUs),
        () => {
          waiting[ledger]?.push({ sentAt: clock.now, ledger })
          startBatch(ledger)
        },
      )
    }

    function startBatch(ledger: number) {
      const [queue, lock] = [waiting[ledger], locks[ledger]]
      if (isBusy[ledger] || !queue || !lock || queue.length === 0) return
      isBusy[ledger] = true
      let batch: readonly Transfer[] = []
      // The batch takes all transfers that wait when it gets its turn on the thread, so it includes all earlier
      // requests.
      const prepare = () => {
        batch = queue.splice(0, batchLimit)
        return workOf(design.prepare, batch.length)
      }
      const inDatabase = (work: Work, done: () => void) => databasePool.run(workOf(work, batch.length), done)
      const trip = (done: () => void) => clock.after(varied(design.roundTripUs / 2), done)
      const onThread = (work: Work, done: () => void) => thread.run(() => workOf(work, batch.length), done)
      const commit = (done: () => void) => clock.after(varied(design.commitUs), done)

      const answered = () => {
        if (clock.now > from) {
          batches += 1
          batched += batch.length
          for (const { sentAt } of batch) latencies.push(clock.now - sentAt)
        }
        isBusy[ledger] = false
        startBatch(ledger)
        for (const _ of batch) send()
      }
      const committed = () => {
        lock.release()
        trip(answered)
      }
      const write = () => inDatabase(design.write, () => commit(committed))
      const checked = () => trip(write)
      const lockAndRead = (work: Work, done: () => void) =>
        trip(() => lock.take(() => inDatabase(work, () => trip(done))))
      const checkMeanwhile = () => {
        const both = afterBoth(checked)
        lockAndRead({ ...design.read, transferUs: 0 }, both)
        onThread(design.check, both)
      }
      const checkAfterwards = () => lockAndRead(design.read, () => onThread(design.check, checked))
      thread.run(prepare, isKnown ? checkMeanwhile : checkAfterwards)
    }
  }

  /** One thread. Its work runs in order, each piece on the next free core. */
  function createThread() {
    const queue: { readonly us: () => number; readonly done: () => void }[] = []
    let isRunning = false
    const next = () => {
      const work = queue.shift()
      isRunning = work !== undefined
      work &&
        appPool.run(work.us(), () => {
          work.done()
          next()
        })
    }
    return {
      run(us: () => number, done: () => void) {
        queue.push({ us, done })
        if (!isRunning) next()
      },
    }
  }

  /** Cores that run slices of work in order of arrival. */
  function createPool(cores: number) {
    const queue: { us: number; readonly done: () => void }[] = []
    let free = cores
    let busy = 0
    const next = () => {
      const work = queue[0]
      if (free === 0 || work === undefined) return
      queue.shift()
      free -= 1
      const slice = Math.min(work.us, sliceUs)
      busy += measured(clock.now, clock.now + slice)
      clock.after(slice, () => {
        free += 1
        work.us -= slice
        if (work.us > 0) queue.push(work)
        else work.done()
        next()
      })
    }
    return {
      run(us: number, done: () => void) {
        queue.push({ us, done })
        next()
      },
      busyUs: () => busy,
    }
  }

  /** A row lock. Waiting batches get it in order of arrival. */
  function createLock(ledger: number) {
    const queue: (() => void)[] = []
    let isHeld = false
    let since = 0
    let held = 0
    const grant = () => {
      const next = queue.shift()
      if (next === undefined) return
      isHeld = true
      since = clock.now
      trace?.({ atUs: clock.now, ledger, isHeld })
      next()
    }
    return {
      take(granted: () => void) {
        queue.push(granted)
        if (!isHeld) grant()
      },
      release() {
        isHeld = false
        held += measured(since, clock.now)
        trace?.({ atUs: clock.now, ledger, isHeld })
        grant()
      },
      heldUs: () => held + (isHeld ? measured(since, clock.now) : 0),
    }
  }
}
