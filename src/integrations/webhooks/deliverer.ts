import { auditEntry } from "../../domain/audit/audit-log.ts"
import type { Clock } from "../../domain/clock.ts"
import type { Store } from "../../domain/store.ts"
import type { Events } from "../../domain/webhooks/events.ts"
import type { Attempted, Delivery, Event, RecordedEvent, Webhook, WebhookRound } from "../../domain/webhooks/model.ts"
import { longestPauseMs, maxWebhooks } from "../../domain/webhooks/webhooks.ts"
import { codeOf } from "../../jobs/attempt.ts"
import { backoffMs } from "../../jobs/backoff.ts"
import { createRepeatedWork } from "../../jobs/repeated-work.ts"
import type { Log } from "../../support/log.ts"
import type { Sender } from "./sender.ts"

/** Deliveries in one round, which share one commit. */
const maxAtOnce = 100
/**
 * The pause after a full round, which leaves time for transfers: a webhook that is behind gets at most 500 events a
 * second.
 */
const catchUpMs = 200
/** A round starts no delivery after this time, so that its last delivery ends before the lease. */
const roundMs = 20_000
const leaseMs = 60_000
/** How long a webhook may fail before it is deactivated. */
const deactivateAfterMs = 3 * 86_400_000

interface Dependencies {
  readonly store: Pick<Store, "events" | "webhooks">
  readonly events: Pick<Events, "record" | "load">
  readonly sender: Pick<Sender, "compose" | "send">
  readonly clock: Clock
  readonly log: Log
  /** 0 to 1, for the jitter. */
  readonly random?: () => number
  /** How often to look for something to deliver. */
  readonly everyMs?: number
  /** Milliseconds since any one moment, for durations, which must not change when the clock is set. */
  readonly elapsed?: () => number
}

/** The progress of a round. */
interface Progress {
  readonly attempted: Attempted[]
  lastEvent: number
  /** The failure that ended the round. */
  failure: { readonly status: number | null; readonly retryAfterMs: number } | null
  /** Whether somebody has changed or removed the webhook since the round began: the next message may go elsewhere. */
  isOutdated: boolean
}

/**
 * Delivers events to webhooks: at least once, in order for each webhook, and to all webhooks at the same time. A process
 * leases a webhook, sends what is due, and stores its position. After a crash the lease expires, and the events after the
 * stored position are sent again. The first failure ends a round; the next round sends its event again. Only a
 * chat service that refuses a message for good ends none: its channel shows the next.
 */
export function createDeliverer(dependencies: Dependencies) {
  const { store, events, sender, clock, log, random = Math.random, everyMs } = dependencies
  const { elapsed = () => performance.now() } = dependencies
  const { webhooks } = store
  const name = crypto.randomUUID()
  const attempts = { delivered: 0, failed: 0 }
  const rounds = new Set<Promise<void>>()
  let claims = 0
  const runner = createRepeatedWork({
    work: async () => void (await beginDue()),
    failure: "webhooks cannot be delivered; retrying",
    log,
    everyMs,
  })

  return {
    start() {
      runner.start()
      runner.look()
    },

    /** Delivers until nothing more is due. For tests, which move the clock instead of waiting for the timer. */
    async deliverDue(): Promise<void> {
      while (await beginDue()) await Promise.all(rounds)
    },

    /** How many attempts of this process succeeded and failed. */
    read: (): { readonly delivered: number; readonly failed: number } => attempts,

    /** Aborts running exchanges after `graceMs`. The next process sends their events again. */
    stop: (graceMs: number): Promise<void> => runner.stop(graceMs, () => Promise.all(rounds)),
  }

  /** Records what happened, and begins a round for each webhook that is due. Returns whether there was one. */
  async function beginDue(): Promise<boolean> {
    await events.record()
    let hasBegun = false
    while (rounds.size < maxWebhooks) {
      // A new name for each claim: a round whose lease has expired must not end the next round of this process.
      const owner = `${name}/${++claims}`
      const webhook = await webhooks.claim(owner, clock(), leaseMs)
      if (webhook === null) break
      hasBegun = true
      const round: Promise<void> = deliver(webhook, owner)
        .then((isFull) => {
          if (isFull) runner.lookIn(catchUpMs)
        })
        .catch((error) => log.error("a webhook cannot be delivered to; retrying", { error: codeOf(error) }))
        .finally(() => rounds.delete(round))
      rounds.add(round)
    }
    return hasBegun
  }

  /** Returns whether more may be due at once. */
  async function deliver(webhook: Webhook, owner: string): Promise<boolean> {
    const progress: Progress = { attempted: [], lastEvent: webhook.lastEvent, failure: null, isOutdated: false }
    const until = elapsed() + roundMs
    const canContinue = () =>
      progress.failure === null && !progress.isOutdated && elapsed() < until && !runner.signal.aborted
    for (const delivery of await webhooks.waiting(webhook.id, maxAtOnce)) {
      if (!canContinue()) break
      await deliverWaiting(webhook, delivery, progress)
    }
    const isCaughtUp = progress.attempted.length < maxAtOnce
    const lastId = await store.events.lastId()
    const recorded = isCaughtUp && canContinue() ? await store.events.after(webhook.lastEvent, maxAtOnce) : []
    const loaded = new Map((await events.load(recorded)).map((event) => [event.id, event]))
    for (const { id } of recorded) {
      if (!canContinue()) break
      await deliverEvent(webhook, id, loaded.get(id), progress)
    }
    // Events after the last one that was found were deleted, because they are too old.
    if (isCaughtUp && recorded.length < maxAtOnce && canContinue())
      progress.lastEvent = Math.max(progress.lastEvent, lastId)
    await endRound(webhook, owner, progress)
    return progress.failure === null && (!isCaughtUp || recorded.length === maxAtOnce)
  }

  async function deliverWaiting(webhook: Webhook, { id: deliveryId, eventId }: Delivery, progress: Progress) {
    const recorded = eventId === null ? undefined : (await store.events.after(eventId - 1, 1)).find(isEvent(eventId))
    const [event] = recorded ? await events.load([recorded]) : []
    // `events: []` stands for all types: a replay is sent even if the webhook no longer subscribes to the event.
    const body = event && (await sender.compose({ ...webhook, events: [] }, event))
    if (event && body) return attempt({ webhook, deliveryId, event, body }, progress)
    const error = event ? "this format has no message for the event" : "the event is older than webhooks.keep_days"
    const nothing = { attemptedAt: clock(), durationMs: 0, status: null, response: null, error }
    progress.attempted.push({ deliveryId, eventId, state: "failed", attempt: nothing })
  }

  async function deliverEvent(webhook: Webhook, id: number, event: Event | undefined, progress: Progress) {
    const body = event && (await sender.compose(webhook, event))
    if (event && body && !(await attempt({ webhook, deliveryId: null, event, body }, progress))) return
    progress.lastEvent = id
  }

  /** False when the webhook has changed, or `stop` aborted it; then it does not count as an attempt. */
  async function attempt(
    { webhook, deliveryId, event, body }: { webhook: Webhook; deliveryId: number | null; event: Event; body: string },
    progress: Progress,
  ): Promise<boolean> {
    progress.isOutdated = (await webhooks.find(webhook.id))?.revision !== webhook.revision
    if (progress.isOutdated) return false
    const { attempt, retryAfterMs, isFinal } = await sender.send(webhook, `${event.id}`, body, runner.signal)
    if (attempt.error !== null && runner.signal.aborted) return false
    const isDelivered = attempt.error === null
    attempts[isDelivered ? "delivered" : "failed"] += 1
    const state = isDelivered ? "delivered" : isFinal ? "failed" : "waiting"
    progress.attempted.push({ deliveryId, eventId: event.id, state, attempt })
    if (state === "failed")
      log.warn("a message was refused for good", { id: webhook.id, event: event.id, error: attempt.error })
    if (state === "waiting") progress.failure = { status: attempt.status, retryAfterMs }
    return true
  }

  async function endRound(webhook: Webhook, owner: string, { attempted, lastEvent, failure }: Progress) {
    const now = clock()
    const lastSuccessAt = attempted.findLast(({ state }) => state === "delivered")?.attempt.attemptedAt ?? null
    // Also one that refuses a message for good works again.
    const isReached = attempted.some(({ state, attempt }) => state !== "waiting" && attempt.status !== null)
    const before = isReached ? { failures: 0, failingSince: null } : webhook
    const failures = failure === null ? before.failures : before.failures + 1
    const failingSince = failure === null ? before.failingSince : Math.min(before.failingSince ?? now, now)
    const round: WebhookRound = {
      webhook,
      owner,
      attempted,
      lastEvent,
      failures,
      failingSince,
      retryAt: failure === null ? now : now + pauseMs(failures, failure.retryAfterMs),
      lastSuccessAt,
      stoppedBecause: failure === null ? null : reasonToStop(failure.status, now - (failingSince ?? now)),
    }
    const detail = `webhook ${webhook.id}: ${round.stoppedBecause}`
    const by = { who: null, way: "server", address: null } as const
    const values = { before: { active: true }, after: { active: false } }
    const audit =
      round.stoppedBecause === null ? undefined : auditEntry(by, now, "webhook_stopped", { detail, ...values })
    const outcome = await webhooks.endRound(round, audit)
    if (outcome === "lost") log.warn("a webhook was settled after its lease was lost", { id: webhook.id })
    if (outcome === "changed") return
    const error = attempted.at(-1)?.attempt.error
    if (round.stoppedBecause !== null)
      log.error("a webhook was deactivated", { id: webhook.id, reason: round.stoppedBecause })
    else if (failure !== null && before.failures === 0)
      log.warn("a webhook fails; retrying for three days", { id: webhook.id, error })
  }

  function pauseMs(failures: number, retryAfterMs: number): number {
    return Math.max(backoffMs(failures, random()), Math.min(retryAfterMs, longestPauseMs))
  }
}

const isEvent = (id: number) => (recorded: RecordedEvent) => recorded.id === id

function reasonToStop(status: number | null, failingMs: number): string | null {
  if (status === 410) return "the receiver answered 410 Gone"
  return failingMs >= deactivateAfterMs ? "no delivery succeeded for three days" : null
}
