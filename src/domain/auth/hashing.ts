import { createCount } from "../count.ts"
import { DomainError } from "../errors.ts"
import type { Origin } from "../model.ts"
import { sourceOf } from "./sources.ts"

/** Hashes at once: more would only take the processor from the requests beside them. */
const concurrency = 2
/** What may wait behind them. Since owners take turns, a long queue delays those who filled it, not who comes next. */
export const maxWaiting = 200
/** What one caller, or one source address, may have waiting and running at a time: a quarter of the queue. */
export const maxHeld = maxWaiting / 4
/** When another try may be worth it. */
export const retryAfterSeconds = 5

/** Who asks for a hash: a caller, who has proven to be `who`, or else an IP address; neither is the server itself. */
export type Requester = Pick<Origin, "who" | "address">

/** Both throw DomainError `busy` when too much waits, or too much for this requester. */
export interface Hashing {
  /** In the form of a hash; no password has it. */
  readonly nobodys: string
  /** A bcrypt hash, computed off the event loop. Every byte of the password counts, those beyond bcrypt's 72 too. */
  hash(password: string, requester: Requester): Promise<string>
  /**
   * Whether the password is the one behind `hash`. Without a hash (an unknown user) it takes as long and says no.
   * `before` runs when the turn has come; what it throws refuses without hashing.
   */
  verify(password: string, hash: string | null, requester: Requester, before?: () => void): Promise<boolean>
  /** How many hashes wait for their turn. */
  waiting(): number
  /** Whether the hash is of a lower cost than new ones. */
  isOutdated(hash: string): boolean
}

/** The algorithm alone, so that tests can count. */
export interface Bcrypt {
  hash(password: string, cost: number): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

const bunBcrypt: Bcrypt = {
  hash: (password, cost) => Bun.password.hash(password, { algorithm: "bcrypt", cost }),
  verify: (password, hash) => Bun.password.verify(password, hash),
}

export function createHashing(cost: number, bcrypt: Bcrypt = bunBcrypt): Hashing {
  const { inTurn, waiting } = createQueue()

  return {
    nobodys: nobodysHash(cost),
    hash: (password, requester) => inTurn(ownerOf(requester), () => bcrypt.hash(withoutNul(password), cost)),
    verify: (password, hash, requester, before = () => {}) =>
      inTurn(ownerOf(requester), async () => {
        before()
        const plain = withoutNul(password)
        const matches = await bcrypt.verify(plain, hash ?? nobodysHash(cost))
        if (hash !== null) await makeUpFor(hash, plain)
        return matches && hash !== null
      }),
    waiting,
    isOutdated: (hash) => costOf(hash) < cost,
  }

  /**
   * A cheaper hash would answer sooner than an unknown user and tell that there is somebody. Each cost takes twice the
   * time of the one before, so that one hash of every cost from the cheaper one up adds up to the missing time. A hash
   * of a higher cost, from before the setting was lowered, does take longer: nothing can be taken off it.
   */
  async function makeUpFor(hash: string, plain: string) {
    for (let cheaper = costOf(hash); cheaper < cost; cheaper++) await bcrypt.verify(plain, nobodysHash(cheaper))
  }
}

const nobodysHash = (cost: number): string => `$2b$${String(cost).padStart(2, "0")}$${"e".repeat(22)}${"e".repeat(31)}`

const costOf = (hash: string): number => Number(/^\$2[abxy]\$(\d\d)\$/.exec(hash)?.[1])

/** bcrypt repeats a password with a NUL behind it, so that "a" and "a\0a" would be one: such a one is digested first. */
const withoutNul = (password: string): string =>
  password.includes("\0") ? new Bun.CryptoHasher("sha512").update(password).digest("base64") : password

/** Whom a hash counts for: the caller alone where there is one, so that colleagues behind one address do not suffer. */
const ownerOf = ({ who, address }: Requester): string =>
  who === null ? `source ${sourceOf(address ?? "")}` : `caller ${who}`

/**
 * Runs two pieces of work at a time while the others wait. Owners take turns, each with its oldest piece, and nobody owns
 * more than a share of the queue: however much one of them asks for, the others wait behind one piece of it at a time.
 */
function createQueue() {
  /** In the order of their turns. */
  const lines = new Map<string, (() => void)[]>()
  const held = createCount()
  let [free, count] = [concurrency, 0]

  return { inTurn, waiting: () => count }

  async function inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if ((free === 0 && count >= maxWaiting) || held.of(owner) >= maxHeld)
      throw new DomainError("busy", undefined, retryAfterSeconds)
    held.add(owner)
    try {
      if (free > 0) free -= 1
      else await turnOf(owner)
      return await work().finally(passOn)
    } finally {
      held.remove(owner)
    }
  }

  function turnOf(owner: string): Promise<void> {
    count += 1
    return new Promise((resolve) => lines.set(owner, [...(lines.get(owner) ?? []), resolve]))
  }

  function passOn() {
    const [next] = lines
    if (!next) {
      free += 1
      return
    }
    const [owner, [first, ...others]] = next
    lines.delete(owner)
    if (others.length > 0) lines.set(owner, others) // behind everybody else's turn
    count -= 1
    first?.()
  }
}
