import type { Origin } from "../audit/ports.ts"
import { createCounter } from "../counter.ts"
import { DomainError } from "../errors.ts"
import { createFairQueue } from "../fair-queue.ts"
import { unusableHash } from "../people/unusable-hash.ts"
import { sourceOf } from "./sources.ts"

/**
 * How many hashes are computed at once, on a machine with more than two processor cores; one on others. More would only take
 * processor time away from other requests.
 */
export const maxHashing = 2
/** How many hashes may wait. Owners take turns, so a long queue delays those who filled it and not the next person. */
export const maxQueued = 200
/** How many hashes one owner may have in progress, including waiting ones: a quarter of the queue. */
export const maxOfOwner = maxQueued / 4
/** The value of `Retry-After` with the error `busy`. */
export const hashingRetryAfterSeconds = 5

/** Who asks for a hash: an authenticated user, else an IP address; both are null for the server itself. */
type Requester = Pick<Origin, "who" | "address">

/** `hash` and `verify` throw DomainError `busy` when too many wait, or too many of this requester. */
export interface Hashing {
  /** A well-formed hash that no password matches. */
  readonly unusableHash: string
  /** A bcrypt hash. All bytes of the password count, also those beyond bcrypt's limit of 72. */
  hash(password: string, requester: Requester): Promise<string>
  /**
   * Whether the password matches the hash. For an unknown user (null) it takes the same time and returns false.
   * `before` runs right before hashing begins, once a slot is free, and may throw to refuse.
   */
  verify(password: string, hash: string | null, requester: Requester, before?: () => Promise<void>): Promise<boolean>
  /** How many hashes wait at this moment. */
  waiting(): number
  /** Whether the hash has a lower cost than new hashes. */
  isOutdated(hash: string): boolean
}

/** The algorithm alone, so that tests can replace it and count its calls. */
export interface Bcrypt {
  hash(password: string, cost: number): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

const bunBcrypt: Bcrypt = {
  hash: (password, cost) => Bun.password.hash(password, { algorithm: "bcrypt", cost }),
  verify: (password, hash) => Bun.password.verify(password, hash),
}

interface Options {
  readonly bcrypt?: Bcrypt
  /** How many hashes are computed at once. */
  readonly atOnce?: number
}

/** Password hashing off the event loop, behind a concurrency limit. */
export function createHashing(cost: number, { bcrypt = bunBcrypt, atOnce = maxHashing }: Options = {}): Hashing {
  const { run, waiting } = createFairConcurrencyLimit(atOnce)

  return {
    unusableHash: unusableHash(cost),
    hash: (password, requester) => run(ownerOf(requester), () => bcrypt.hash(withoutNul(password), cost)),
    verify: (password, hash, requester, before) =>
      run(ownerOf(requester), async () => {
        if (before) await before()
        const plain = withoutNul(password)
        const matches = await bcrypt.verify(plain, hash ?? unusableHash(cost))
        if (hash !== null) await equalizeTime(hash, plain)
        return matches && hash !== null
      }),
    waiting,
    isOutdated: (hash) => costOf(hash) < cost,
  }

  /**
   * A hash of a lower cost takes less time than an unknown user, which would reveal that the user exists. Each cost
   * takes twice the time of the cost below it, so one more hash of every cost from the lower one up makes the times
   * equal. A hash of a higher cost, from before the setting was lowered, still takes longer.
   */
  async function equalizeTime(hash: string, plain: string) {
    for (let lower = costOf(hash); lower < cost; lower++) await bcrypt.verify(plain, unusableHash(lower))
  }
}

const costOf = (hash: string): number => Number(/^\$2[abxy]\$(\d\d)\$/.exec(hash)?.[1])

/**
 * bcrypt repeats a password, separated by NUL, so "a" and "a\0a" would match each other. Passwords with NUL are
 * digested first.
 */
const withoutNul = (password: string): string =>
  password.includes("\0") ? new Bun.CryptoHasher("sha512").update(password).digest("base64") : password

/** Each authenticated user is an owner, so that colleagues behind one address do not share a limit. */
const ownerOf = ({ who, address }: Requester): string =>
  who === null ? `source ${sourceOf(address ?? "")}` : `caller ${who}`

/**
 * A fair concurrency limit: while all slots are taken, owners take turns, each with its oldest work. So the others wait
 * for only one piece of an owner's work at a time, and no owner fills more than a share of the queue.
 */
function createFairConcurrencyLimit(atOnce: number) {
  const queue = createFairQueue<{ readonly who: string; readonly begin: () => void }>()
  const inProgress = createCounter()
  let freeSlots = atOnce

  return { run, waiting: queue.size }

  async function run<T>(who: string, work: () => Promise<T>): Promise<T> {
    if ((freeSlots === 0 && queue.size() >= maxQueued) || inProgress.of(who) >= maxOfOwner)
      throw new DomainError("busy", { retryAfterSeconds: hashingRetryAfterSeconds })
    inProgress.add(who)
    const { promise, resolve: begin } = Promise.withResolvers<void>()
    const turn = { who, begin }
    queue.add(turn)
    if (beginNext() !== turn) await promise
    try {
      return await work()
    } finally {
      queue.done(turn)
      inProgress.remove(who)
      freeSlots += 1
      beginNext()
    }
  }

  function beginNext() {
    const next = freeSlots > 0 ? queue.next() : undefined
    if (next !== undefined) freeSlots -= 1
    next?.begin()
    return next
  }
}
