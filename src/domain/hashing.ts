import { DomainError } from "./errors.ts"

/** Hashes at once: more would only take the processor from the requests beside them. */
const concurrency = 2
/** What may wait behind them, some seconds of work: who came later would have gone before the answer is there. */
export const maxWaiting = 96
/** When another try may be worth it. */
const retryAfterSeconds = 5

/** Both throw DomainError `busy` when too much waits. */
export interface Hashing {
  /** In the form of a hash; no password has it. */
  readonly nobodys: string
  /** A bcrypt hash, computed off the event loop. Every byte of the password counts, those beyond bcrypt's 72 too. */
  hash(password: string): Promise<string>
  /**
   * Whether the password is the one behind `hash`. Without a hash (an unknown user) it takes as long and says no.
   * `before` runs when the turn has come; what it throws refuses without hashing.
   */
  verify(password: string, hash: string | null, before?: () => void): Promise<boolean>
}

export function createHashing(cost: number): Hashing {
  const nobody = `$2b$${String(cost).padStart(2, "0")}$${"e".repeat(22)}${"e".repeat(31)}`
  const inTurn = createGate(concurrency, maxWaiting)

  return {
    nobodys: nobody,
    hash: (password) => inTurn(() => Bun.password.hash(withoutNul(password), { algorithm: "bcrypt", cost })),
    verify: (password, hash, before = () => {}) =>
      inTurn(async () => {
        before()
        const matches = await Bun.password.verify(withoutNul(password), hash ?? nobody)
        return matches && hash !== null
      }),
  }
}

/** bcrypt repeats a password with a NUL behind it, so that "a" and "a\0a" would be one: such a one is digested first. */
const withoutNul = (password: string): string =>
  password.includes("\0") ? new Bun.CryptoHasher("sha512").update(password).digest("base64") : password

/** Lets `places` pieces of work run at a time; `seats` others wait in the order in which they came, and no more. */
function createGate(places: number, seats: number) {
  const waiting: (() => void)[] = []
  let free = places

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else if (waiting.length >= seats) throw new DomainError("busy", undefined, retryAfterSeconds)
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
