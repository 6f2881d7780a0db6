import type { User } from "../model.ts"
import { adminUsername } from "../people/users.ts"
import type { Hashing } from "./hashing.ts"

interface Dependencies {
  readonly hashing: Pick<Hashing, "verify">
  /** What `admin` may have been given when the database was new. */
  readonly initial: readonly string[]
}

const server = { who: null, address: null }

/** Whether this is `admin` with the password from the start. Hashing takes its time: it is asked once for each hash. */
export function createInitialPassword({ hashing, initial }: Dependencies) {
  const passwords = [...new Set(initial)]
  let known: { readonly hash: string; readonly isInitial: Promise<boolean> } | undefined

  return async ({ username, password: hash }: User): Promise<boolean> => {
    if (username !== adminUsername) return false
    if (known?.hash !== hash) known = { hash, isInitial: isOneOfThem(hash) }
    try {
      return await known.isInitial
    } catch (error) {
      known = undefined // there was no time for it: asked again the next time
      throw error
    }
  }

  async function isOneOfThem(hash: string): Promise<boolean> {
    for (const password of passwords) if (await hashing.verify(password, hash, server)) return true
    return false
  }
}
