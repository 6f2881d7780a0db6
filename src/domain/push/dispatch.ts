import { dayMs } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { type PushMessage as PushJob, pushKind } from "../jobs/jobs.ts"
import type { Language } from "../languages.ts"
import { takesPart } from "../people/model.ts"
import { entryIdOf } from "../recognition/best-words.ts"
import { isRecognition } from "../recognition/recognitions.ts"
import type { Store } from "../store.ts"
import { type PushDevice, pushWork as work } from "./model.ts"

/** How many transactions one commit handles at most. */
const transactionsAtOnce = 2000
/** How long a message is of use. A push service keeps it for a browser that is not connected, too. */
export const usefulMs = dayMs
interface DispatchDependencies {
  readonly store: Pick<Store, "jobs" | "ledger" | "push">
  readonly clock: Clock
  readonly maxAttempts: number
  readonly wake: () => void
}

/**
 * Enqueues a message to each device of whoever received points. As with mail, the commit that adds the jobs stores the progress,
 * so that nothing is enqueued twice or lost. It begins with the first subscription (`PushStore.add`).
 */
export function createPushDispatch({ store, clock, maxAttempts, wake }: DispatchDependencies) {
  const { jobs, ledger, push } = store

  return {
    async enqueueDue(): Promise<void> {
      const last = await ledger.lastId()
      const reached = await jobs.progressOf(work)
      if (reached === null) return // nobody has subscribed yet
      for (let after = Number(reached); after < last; ) {
        const through = Math.min(last, after + transactionsAtOnce)
        const due = (await push.due(after, through, clock())).map(jobOf)
        // When another process has advanced the progress, it enqueues the rest.
        if (!(await jobs.advance({ work, from: `${after}`, to: `${through}` }, due))) return
        if (due.length > 0) wake()
        after = through
      }
    },
  }

  function jobOf(payload: PushJob) {
    const now = clock()
    return {
      kind: pushKind,
      payload,
      maxAttempts,
      runAt: now,
      createdAt: now,
      retryUntil: now + usefulMs,
      turnOf: payload.userId,
    }
  }
}

/** What a device shows of points that its owner received. */
export interface PushContent {
  readonly device: PushDevice
  /** The owner's; null when the owner has not chosen one. */
  readonly language: Language | null
  /** The id of the feed's entry. */
  readonly entryId: number
  readonly transactionId: number
  readonly from: string
  /** Whether the points were added to a recognition. */
  readonly isAddition: boolean
  /** Null for a private reason, which must not appear on a locked screen. */
  readonly said: { readonly value: number; readonly reason: string } | null
}

/**
 * The content of a message, read when it is sent. Null when there is nothing to send: the device was removed, its session
 * has ended, its owner has been deactivated, or everything was reversed.
 */
export const createPushContents =
  ({ ledger, mail, push, users }: Pick<Store, "ledger" | "mail" | "push" | "users">, clock: Clock) =>
  async ({ transactionId, deviceId }: PushJob): Promise<PushContent | null> => {
    const [entry, device] = [await ledger.entry(transactionId), await push.device(deviceId, clock())]
    if (entry === null || device === null || device.userId !== entry.receiverId) return null
    const [owner] = await users.byIds([device.userId])
    if (!takesPart(owner) || !isRecognition(entry) || entry.reversed >= entry.value) return null
    // Added points are as private as the reason of what they were added to.
    const first = entry.addsTo === null || entry.addsTo < 0 ? entry : await ledger.entry(entry.addsTo)
    const { reason = "", isPrivate = false } = first?.note ?? {}
    return {
      device,
      language: (await mail.choiceOf(owner.id)).language,
      entryId: entryIdOf(entry),
      transactionId,
      from: entry.sender.name,
      isAddition: entry.addsTo !== null,
      said: isPrivate ? null : { value: entry.value - entry.reversed, reason },
    }
  }
