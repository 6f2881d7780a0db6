import { maxValue } from "../ledger/ledger.ts"
import type { AllowanceRun, AllowanceTerms, Balances, Clock, Note, Receiver } from "../model.ts"
import type { Store } from "../store.ts"

interface Payer {
  /** `admin`. */
  readonly senderId: number
  /** How many people are paid in one commit, and read at once. */
  readonly peopleAtOnce: number
}

/**
 * How many points one person gets. No balance leaves ±maxValue: the points are cut so that the receiver and `admin`,
 * who pays, stop at the bound.
 */
export const pointsFor =
  ({ mode, value }: Pick<AllowanceTerms, "mode" | "value">) =>
  ({ sender, receiver }: Balances): number => {
    const wanted = mode === "add" ? value : value - receiver
    return Math.max(0, Math.min(wanted, maxValue - receiver, sender + maxValue, maxValue))
  }

/** Pays what is left of a run, slice by slice. Stops when another process pays it at the same time. If that process
 *  ends early, the next one to look continues the run. */
export async function payRun(
  { store, clock }: { readonly store: Pick<Store, "allowances" | "ledger">; readonly clock: Clock },
  { senderId, peopleAtOnce }: Payer,
  run: AllowanceRun,
): Promise<void> {
  const note: Note | undefined = run.reason === null ? undefined : { reason: run.reason, tags: [], isPrivate: false }
  for (let afterId = run.throughId; ; ) {
    const people = await store.allowances.receivers(run.audience, afterId, peopleAtOnce)
    const throughId = people.at(-1)?.id ?? afterId
    const isLast = people.length < peopleAtOnce
    const receiverIds = people.map(({ id }) => id).filter((id) => id !== senderId)
    const slice = { runId: run.id, afterId, throughId, senderId, receiverIds, date: clock(), note, isLast }
    const paid = await store.ledger.payRun(slice, pointsFor(run))
    if (paid === null || isLast) return
    afterId = throughId
  }
}

/** What one person would get. */
export interface Share {
  readonly receiver: Receiver
  readonly value: number
}

/** What a run with these terms would pay now, in the order of payment. */
export async function previewOf(
  store: Pick<Store, "allowances" | "users">,
  { senderId, peopleAtOnce }: Payer,
  terms: AllowanceTerms,
): Promise<Share[]> {
  const shares: Share[] = []
  const points = pointsFor(terms)
  let sender = await store.users.balanceOf(senderId)
  for (let afterId = 0; ; ) {
    const people = await store.allowances.receivers(terms.audience, afterId, peopleAtOnce)
    for (const receiver of people) {
      const value = receiver.id === senderId ? 0 : points({ sender, receiver: receiver.balance })
      sender -= value
      if (value > 0) shares.push({ receiver, value })
    }
    if (people.length < peopleAtOnce) return shares
    afterId = people.at(-1)?.id ?? afterId
  }
}
