import { AsyncLocalStorage } from "node:async_hooks"

/*
 * Who asks for what is being done: known to all that a request awaits, so that nothing between the guard and the queues passes
 * it on.
 */

const requesters = new AsyncLocalStorage<{ who: string } | undefined>()

/** Runs a request of this caller, such as the address of somebody whom nobody knows yet. */
export const askedBy = <T>(who: string, work: () => T): T => requesters.run({ who }, work)

/** From here on the request is this caller's. */
export function recognize(who: string) {
  const requester = requesters.getStore()
  if (requester !== undefined) requester.who = who
}

/** Undefined: the server itself. */
export const whoAsks = (): string | undefined => requesters.getStore()?.who

/** Runs work that several requests share. It counts as the server's own, and not as work of the person who asked first. */
export const forEverybody = <T>(work: () => T): T => requesters.run(undefined, work)
