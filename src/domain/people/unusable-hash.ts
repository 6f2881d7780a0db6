/** How the hash ends while nobody has set a password. */
export const unusableRest = "e".repeat(53)

/** A well-formed hash of this cost that no password matches. */
export const unusableHash = (cost: number): string => `$2b$${String(cost).padStart(2, "0")}$${unusableRest}`

/** Whether some password matches the hash: false until the owner of an account has set one. */
export const hasPassword = (hash: string): boolean => !hash.endsWith(unusableRest)
