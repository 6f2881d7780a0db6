/** Hashes at once: more would only take the processor from the requests beside them. */
const concurrency = 2

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
  const inTurn = createGate(concurrency)

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

/** Lets `places` pieces of work run at a time; the others wait in the order in which they came. */
function createGate(places: number) {
  const waiting: (() => void)[] = []
  let free = places

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
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
