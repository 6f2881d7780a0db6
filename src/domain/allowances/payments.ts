import type { Clock } from "../clock.ts"
import { DatabaseDamaged } from "../damage.ts"
import type { Note } from "../ledger/model.ts"
import type { Pockets } from "../people/model.ts"
import { maxValue } from "../points.ts"
import type { Store } from "../store.ts"
import { isAudience } from "./allowance-fields.ts"
import { noAudience } from "./audience.ts"
import type { AllowanceRun, AllowanceTerms, AudienceMember, Share } from "./model.ts"

interface Payer {
  /** `admin`. */
  readonly senderId: number
  /** How many people are paid in one commit, and read at once. */
  readonly peopleAtOnce: number
}

/**
 * What one person gets, and what expires. `top_up` and `reset` look at the budget alone: earned points neither fill it nor
 * are touched. Of a negative balance they pay off everything. The points are reduced where the balance of the receiver or
 * of `admin`, who pays, would leave ±maxValue.
 */
const shareOf =
  ({ mode, value }: Pick<AllowanceTerms, "mode" | "value">) =>
  (receiver: Pockets, senderBalance: number): Share => {
    const budget = receiver.balance - receiver.earned
    const expired = mode === "reset" ? Math.max(0, Math.min(budget, maxValue - senderBalance)) : 0
    const wanted = mode === "add" ? value : value - (budget - expired)
    const room = Math.min(maxValue - (receiver.balance - expired), senderBalance + expired + maxValue)
    return { value: Math.max(0, Math.min(wanted, room, maxValue)), expired }
  }

/** Pays the rest of a run, slice by slice. Stops when another process pays the run at the same time. If that process
 *  ends early, a later call of `payDue` continues the run. */
export async function payRun(
  { store, clock }: { readonly store: Pick<Store, "allowances" | "ledger">; readonly clock: Clock },
  { senderId, peopleAtOnce }: Payer,
  run: AllowanceRun,
): Promise<void> {
  const { audience } = run
  if (!isAudience(audience))
    throw new DatabaseDamaged(`run ${run.id} of allowance ${run.allowanceId} has ${noAudience}`)
  const note: Note | undefined = run.reason === null ? undefined : { reason: run.reason, tags: [], isPrivate: false }
  for (let afterId = run.throughId; ; ) {
    const people = await store.allowances.receivers(audience, afterId, peopleAtOnce)
    const throughId = people.at(-1)?.id ?? afterId
    const isLast = people.length < peopleAtOnce
    const receiverIds = people.map(({ id }) => id).filter((id) => id !== senderId)
    const slice = { runId: run.id, afterId, throughId, senderId, receiverIds, date: clock(), note, isLast }
    const paid = await store.ledger.payRun(slice, shareOf(run))
    if (paid === null || isLast) return
    afterId = throughId
  }
}

/** What one person would get. */
export interface PlannedShare extends Share {
  readonly receiver: AudienceMember
}

/** What a run with these terms would pay now, in the order of payment. */
export async function previewOf(
  store: Pick<Store, "allowances" | "users">,
  { senderId, peopleAtOnce }: Payer,
  terms: AllowanceTerms,
): Promise<PlannedShare[]> {
  const shares: PlannedShare[] = []
  const { audience } = terms
  if ("damaged" in audience) return shares
  const share = shareOf(terms)
  let sender = await store.users.balanceOf(senderId)
  for (let afterId = 0; ; ) {
    const people = await store.allowances.receivers(audience, afterId, peopleAtOnce)
    for (const receiver of people) {
      if (receiver.id === senderId) continue
      const { value, expired } = share(receiver, sender)
      sender += expired - value
      if (value > 0 || expired > 0) shares.push({ receiver, value, expired })
    }
    if (people.length < peopleAtOnce) return shares
    afterId = people.at(-1)?.id ?? afterId
  }
}
