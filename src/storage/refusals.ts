/** When a client should retry a request that failed because the database cannot be used for now. */
export const retryAfterSeconds = 5

/** Thrown to roll back a transaction, because the challenge or the factor was used before. */
export class UsedBefore extends Error {}

/** Thrown to roll back an import, because a user has changed since it was planned. */
export class Outdated extends Error {}
