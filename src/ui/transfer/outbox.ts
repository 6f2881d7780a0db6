import { signal } from "@preact/signals"
import { storedValue } from "../browser-storage.ts"
import { dayMs, hourMs } from "../dates.tsx"
import type { Recognition } from "../live.ts"
import type { Refused } from "../server/api.ts"
import { messageOf } from "../server/failure-messages.ts"
import { createBackoff, retryDelay } from "../server/retry.ts"
import { beforeLogOut, isMe, me, onLogOut, onUserChange, refreshAccount, session, waitUntil } from "../session.ts"
import { peopleOf, postTransfer, type Transfer } from "./transfer.ts"

/**
 * A transfer from its confirmation until the feed shows it. Every attempt has the same idempotency key. States:
 *
 *     submitted ── small, to one person ──────────────────────> held
 *     submitted ── confirmed ─────────────────────────────────> sending
 *     held ─────── after five seconds, or the page is left ───> sending
 *     held ─────── undone ────────────────────────────────────> back in the box
 *     sending ──── success ───────────────────────────────────> recorded
 *     sending ──── 4xx or 503 ────────────────────────────────> refused: back in the box
 *     sending ──── no response, another 5xx, page reload ─────> unknown
 *     unknown ──── success ───────────────────────────────────> recorded
 *     unknown ──── 400 "Insufficient balance" ────────────────> refused: back in the box
 *     unknown ──── anything else ─────────────────────────────> unknown: sent again after a delay, by the same user
 *     unknown ──── 23 hours after the first attempt ──────────> expired
 *     recorded ─── the feed shows it ─────────────────────────> removed
 *     expired ──── the user removes it ───────────────────────> removed
 */
export interface PendingTransfer {
  /** The idempotency key: the server makes the transfer once, however often it is sent. */
  readonly key: string
  readonly username: string
  readonly transfer: Transfer
  readonly startedMs: number
  /** The newest id seen before the transfer was sent; its own transactions have higher ids. */
  readonly afterId: number
  /** The feed shows a transaction that looks the same, so this one is hidden. Only the server's answer settles it. */
  readonly isInFeed: boolean
  readonly state: /** Nothing is sent yet: the sender can still undo it. */
    | { readonly kind: "held" }
    | { readonly kind: "sending" }
    /** A response was lost: the transfer is sent again with its key until the outcome is known. */
    | { readonly kind: "unknown" }
    /**
     * The outcome stayed unknown for so long that the server may have dropped the key; sending again could make the
     * transfer twice.
     */
    | { readonly kind: "expired" }
    | { readonly kind: "recorded"; readonly date: string; readonly ids: readonly number[] }
}

/** A transfer that was not made: the server refused it, or the sender undid it. */
export interface Refusal {
  readonly key: string
  readonly transfer: Transfer
  /** What the server said; null if the sender undid it. */
  readonly message: string | null
  /** The session had ended, or the sender undid it: the notice goes away once the transfer is back in the box. */
  readonly isBrief: boolean
  /** The transfer is back in the box. */
  readonly isRestored: boolean
}

/** The server keeps a key for 24 hours; one hour is a margin for clock changes. */
const clockMarginMs = hourMs
const keyLifetimeMs = dayMs - clockMarginMs

/** Pending transfers survive a reload, but end with the tab. */
const storage = storedValue("outbox", () => sessionStorage)

/** Pending transfers, newest first, including those of previous users of this tab. */
export const outbox = signal<readonly PendingTransfer[]>(loadPending())

/** The last recorded transfer, until the user begins another one. */
export const lastSent = signal<Transfer | null>(null)
export const clearLastSent = () => {
  lastSent.value = null
}
onUserChange(clearLastSent)

/** Refused transfers, newest first. */
export const refusals = signal<readonly Refusal[]>([])
onUserChange(() => {
  refusals.value = []
})

let newestSeenId = 0
/** Transactions that are already matched with a pending transfer. */
const matchedIds = new Set<number>()

/**
 * Shows a transfer at once as pending and sends it: at once if the sender has confirmed it, otherwise after the time in which
 * it can be undone.
 */
export function submitTransfer(transfer: Transfer, isConfirmed: boolean) {
  const username = me.peek()?.username
  if (username === undefined) return
  clearLastSent()
  const pending: PendingTransfer = {
    key: crypto.randomUUID(),
    username,
    transfer,
    startedMs: Date.now(),
    afterId: newestSeenId,
    isInFeed: false,
    state: { kind: isConfirmed ? "sending" : "held" },
  }
  refusals.value = refusals.value.filter(({ isRestored }) => !isRestored)
  setOutbox([pending, ...outbox.value])
  if (isConfirmed) void sendUntilSettled(pending)
  else setTimeout(() => release(pending), holdMs)
}

/** How long a transfer can be undone. */
export const holdMs = 5000

/** Takes back a transfer that is still held, into the box. Too late, it does nothing. */
export function undoTransfer(pending: PendingTransfer) {
  if (!isHeld(pending)) return
  removeTransfer(pending)
  const { key, transfer } = pending
  refusals.value = [{ key, transfer, message: null, isBrief: true, isRestored: false }, ...refusals.value]
}

const isPending = ({ key }: PendingTransfer): boolean => outbox.peek().some((one) => one.key === key)

const isHeld = ({ key }: PendingTransfer): boolean =>
  outbox.peek().some((one) => one.key === key && one.state.kind === "held")

/** Sends a transfer that is still held, unless somebody else is logged in by now: then when its sender is back. */
function release(pending: PendingTransfer) {
  if (!isHeld(pending)) return
  const released: PendingTransfer = { ...pending, startedMs: Date.now(), state: { kind: "sending" } }
  updateTransfer(pending, released)
  if (isMe(pending.username)) void sendUntilSettled(released)
  else void senderLoggedIn(pending).then(() => sendUntilSettled(released))
}

const releaseAll = () => outbox.peek().forEach(release)

// A hidden page may be closed without a word, so it sends what it holds.
document.addEventListener("visibilitychange", () => document.hidden && releaseAll())
window.addEventListener("pagehide", releaseAll)
beforeLogOut(() => {
  releaseAll()
  return waitUntil(() => !outbox.value.some(({ state }) => state.kind === "sending"))
})

onLogOut(() => setOutbox([]))

/** Removes pending transfers that the feed shows. Every feed reports its entries here. */
export function matchFeed(entries: readonly Recognition[]) {
  newestSeenId = Math.max(newestSeenId, ...entries.map(({ id }) => id))
  for (const entry of entries) {
    const given = outbox.peek().find(({ state }) => state.kind === "recorded" && state.ids.includes(entry.id))
    if (given !== undefined) removeTransfer(given)
    else if (!matchedIds.has(entry.id)) matchEntry(entry)
  }
}

/** Matches an entry with a transfer whose response is still missing. If several look the same, the oldest matches. */
function matchEntry(entry: Recognition) {
  const pending = outbox
    .peek()
    .findLast(
      (one) => one.state.kind !== "recorded" && one.state.kind !== "held" && !one.isInFeed && matches(entry, one),
    )
  if (pending === undefined) return
  matchedIds.add(entry.id)
  updateTransfer(pending, { isInFeed: true })
}

/** Removes a pending transfer from the screen; the history shows its outcome. */
export function removeTransfer({ key }: PendingTransfer) {
  setOutbox(outbox.value.filter((one) => one.key !== key))
}

/** Removes recorded transfers after the feed was loaded again. */
export function removeRecorded() {
  setOutbox(outbox.value.filter(({ state }) => state.kind !== "recorded"))
}

/** Marks a refused transfer as restored into the box. */
export function markRestored({ key }: Refusal) {
  refusals.value = refusals.value
    .map((one) => (one.key === key ? { ...one, isRestored: true } : one))
    .filter(({ isRestored, isBrief }) => !(isRestored && isBrief))
}

/** Sends a transfer until its outcome is known. */
async function sendUntilSettled(pending: PendingTransfer) {
  const backoff = createBackoff()
  for (let isUnknown = pending.state.kind !== "sending"; ; isUnknown = true) {
    if (!isPending(pending)) return // the sender has logged out since
    if (isUnknown && isKeyExpired(pending))
      return updateTransfer(pending, { isInFeed: false, state: { kind: "expired" } })
    const answer = await postTransfer(pending.transfer, pending.key)
    if (answer.kind === "done") {
      const { ids } = answer.data
      if (isMe(pending.username)) lastSent.value = pending.transfer
      for (const id of ids) matchedIds.add(id)
      if (ids.every((id) => id <= newestSeenId)) removeTransfer(pending)
      else
        updateTransfer(pending, { isInFeed: false, state: { kind: "recorded", date: new Date().toISOString(), ids } })
      return refreshAccount()
    }
    if (answer.kind === "refused" && (isUnknown ? provesNotRecorded(answer) : wasNotProcessed(answer))) {
      addRefusal(pending, answer)
      return refreshAccount()
    }
    updateTransfer(pending, { state: { kind: "unknown" } })
    await retryDelay(backoff.nextMs())
    await senderLoggedIn(pending)
  }
}

/** Resolves once the sender is logged in on this page. */
const senderLoggedIn = ({ username }: PendingTransfer): Promise<void> =>
  waitUntil(() => session.value.kind === "member" && isMe(username))

/** Whether a refusal of the first attempt proves that nothing was recorded. A gateway's 502 or 504 does not. */
const wasNotProcessed = ({ status }: Refused): boolean => status < 500 || status === 503

/**
 * Whether a refusal of a later attempt proves that the earlier ones were not recorded, either. The server checks the
 * balance after it looked up the key. Most other checks, such as the session or the tags, come before that, so their
 * refusals say nothing about the first attempt.
 */
const provesNotRecorded = ({ code }: Refused): boolean => code === "insufficient_balance"

function addRefusal(pending: PendingTransfer, answer: Refused) {
  removeTransfer(pending)
  if (!isMe(pending.username)) return
  const { key, transfer } = pending
  const refusal = {
    key,
    transfer,
    message: messageOf(answer),
    isBrief: answer.status === 401,
    isRestored: false,
  }
  refusals.value = [refusal, ...refusals.value]
}

const isKeyExpired = ({ startedMs }: PendingTransfer): boolean => {
  const ageMs = Date.now() - startedMs
  return ageMs < -clockMarginMs || ageMs > keyLifetimeMs
}

function updateTransfer({ key }: PendingTransfer, changes: Partial<PendingTransfer>) {
  setOutbox(outbox.value.map((one) => (one.key === key ? { ...one, ...changes } : one)))
}

function setOutbox(transfers: readonly PendingTransfer[]) {
  outbox.value = transfers
  storePending(transfers)
}

function storePending(transfers: readonly PendingTransfer[]) {
  const stored = transfers.filter(({ state }) => state.kind !== "recorded")
  storage.set(stored.length === 0 ? null : JSON.stringify(stored))
}

/**
 * Pending transfers from before a reload. Those that were being sent have an unknown outcome; so have those that were held,
 * which the page sent when it was left.
 */
function loadPending(): PendingTransfer[] {
  const transfers = JSON.parse(storage.get() ?? "[]") as PendingTransfer[]
  return transfers.map((pending) =>
    pending.state.kind === "sending" || pending.state.kind === "held"
      ? { ...pending, state: { kind: "unknown" } }
      : pending,
  )
}

function matches(entry: Recognition, { username, transfer, afterId }: PendingTransfer): boolean {
  const people = peopleOf(transfer)
  const isToThem =
    people.length === entry.receivers.length &&
    entry.receivers.every(({ username }) => people.some((one) => one.username === username))
  return (
    !transfer.isGrant &&
    entry.id > afterId &&
    (entry.from_username === username || (isMe(username) && isMe(entry.from_username))) &&
    isToThem &&
    entry.value === transfer.value &&
    (entry.reason ?? "") === transfer.reason &&
    entry.tags.join() === transfer.tags.join()
  )
}

// Resumes the transfers of a previous page load once their sender is logged in.
for (const pending of outbox.peek())
  if (pending.state.kind !== "expired") void senderLoggedIn(pending).then(() => sendUntilSettled(pending))
