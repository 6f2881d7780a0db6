import { signal } from "@preact/signals"
import { storedValue } from "../browser-storage.ts"
import type { Recognition } from "../live.ts"
import { messageOf } from "../server/failure-messages.ts"
import type { Failure } from "../server/request.ts"
import { createBackoff, retryDelay } from "../server/retry.ts"
import { me, onUserChange, refreshAccount, session, waitUntil } from "../session.ts"
import { peopleOf, postTransfer, type Transfer } from "./transfer.ts"

/** What is on its way outlasts a reload of this page, but not its tab. */
const storage = storedValue("outbox", () => sessionStorage)

export function storePending(transfers: readonly PendingTransfer[]) {
  const unsettled = transfers.filter(({ state }) => state.kind !== "recorded")
  storage.set(unsettled.length === 0 ? null : JSON.stringify(unsettled))
}

/** What was on its way when the page was left: what became of it is not known. */
export function loadPending(): PendingTransfer[] {
  const transfers = JSON.parse(storage.get() ?? "[]") as PendingTransfer[]
  return transfers.map((pending) =>
    pending.state.kind === "sending" ? { ...pending, state: { kind: "unknown" } } : pending,
  )
}

/** A transfer from the moment that it is confirmed until the feed shows it. */
export interface PendingTransfer {
  /** Under it the server gives once, however often it is asked. */
  readonly key: string
  readonly username: string
  readonly transfer: Transfer
  readonly startedMs: number
  /** The newest id that was seen before it: what the feed shows of it has a later one. */
  readonly afterId: number
  /** The feed shows a transaction that looks like it, so it is not shown twice. Only the server's answer settles it. */
  readonly isInFeed: boolean
  readonly state:
    | { readonly kind: "sending" }
    /** An answer was lost: the transfer is sent again under its key until a definite answer comes. */
    | { readonly kind: "unknown" }
    /** Unknown for so long that its key may be forgotten: sent again, it might be given twice. */
    | { readonly kind: "expired" }
    | { readonly kind: "recorded"; readonly date: string; readonly ids: readonly number[] }
}

/** A transfer that the server did not take. */
export interface Refusal {
  readonly key: string
  readonly transfer: Transfer
  readonly message: string
  /** The session had ended: there is nothing to say once the transfer is back in the box. */
  readonly isSessionEnded: boolean
  /** The transfer was put back into the box. */
  readonly isRestored: boolean
}

/** The server keeps a key for 24 hours; an hour is for clocks that are set meanwhile. */
const clockMarginMs = 3_600_000
const keyLifetimeMs = 24 * 3_600_000 - clockMarginMs

/** What is on its way, the newest first; also of people who used this tab before. */
export const outbox = signal<readonly PendingTransfer[]>(loadPending())

/** What the server did not take, the newest first. */
export const refusals = signal<readonly Refusal[]>([])
onUserChange(() => {
  refusals.value = []
})

let newestSeenId = 0
/** Transactions that were taken for an pending: each stands for one. */
const claimed = new Set<number>()

/** Gives, and shows it at once. */
export function submitTransfer(transfer: Transfer) {
  const username = me.peek()?.username
  if (username === undefined) return
  const pending: PendingTransfer = {
    key: crypto.randomUUID(),
    username,
    transfer,
    startedMs: Date.now(),
    afterId: newestSeenId,
    isInFeed: false,
    state: { kind: "sending" },
  }
  refusals.value = refusals.value.filter(({ isRestored }) => !isRestored)
  setOutbox([pending, ...outbox.value])
  void sendUntilSettled(pending)
}

/** The feed shows these: what is given is not on its way any more. Each feed tells what it got. */
export function acknowledge(entries: readonly Recognition[]) {
  newestSeenId = Math.max(newestSeenId, ...entries.map(({ id }) => id))
  for (const entry of entries) {
    const given = outbox.peek().find(({ state }) => state.kind === "recorded" && state.ids.includes(entry.id))
    if (given !== undefined) removeTransfer(given)
    else if (!claimed.has(entry.id)) claim(entry)
  }
}

/** An entry may be an pending whose answer has not come yet: of several that look the same, the oldest. */
function claim(entry: Recognition) {
  const pending = outbox.peek().findLast((one) => one.state.kind !== "recorded" && !one.isInFeed && matches(entry, one))
  if (pending === undefined) return
  claimed.add(entry.id)
  updateTransfer(pending, { isInFeed: true })
}

/** Takes it out of sight; what became of it the history knows. */
export function removeTransfer({ key }: PendingTransfer) {
  setOutbox(outbox.value.filter((one) => one.key !== key))
}

/** The ledger has told all that there is to tell of it. */
export function removeRecorded() {
  setOutbox(outbox.value.filter(({ state }) => state.kind !== "recorded"))
}

/** Marks a refused transfer as put back into the box. */
export function markRestored({ key }: Refusal) {
  refusals.value = refusals.value
    .map((one) => (one.key === key ? { ...one, isRestored: true } : one))
    .filter(({ isRestored, isSessionEnded }) => !(isRestored && isSessionEnded))
}

/** Sends until the outcome is known. */
async function sendUntilSettled(pending: PendingTransfer) {
  const backoff = createBackoff()
  for (let isUnknown = pending.state.kind !== "sending"; ; isUnknown = true) {
    if (isUnknown && isKeyExpired(pending))
      return updateTransfer(pending, { isInFeed: false, state: { kind: "expired" } })
    const answer = await postTransfer(pending.transfer, pending.key)
    if (answer.kind === "done") {
      const { ids } = answer.data
      for (const id of ids) claimed.add(id)
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

/** Resolves once whoever gives this is logged in here. */
const senderLoggedIn = ({ username }: PendingTransfer): Promise<void> =>
  waitUntil(() => session.value.kind === "member" && session.value.me.username === username)

type Refused = Extract<Failure, { kind: "refused" }>

/** Whether this refusal of a first request means that nothing was given. A gateway's 502 or 504 does not say so. */
const wasNotProcessed = ({ status }: Refused): boolean => status < 500 || status === 503

/**
 * Whether this refusal of a repeated request means that the ones before were in vain, too: the server asks for the
 * balance after it has looked the key up. What else it may refuse for, it finds before, as an ended session, a full disk,
 * or a tag that there is no more; that says nothing about the first request.
 */
const provesNotRecorded = ({ status, detail }: Refused): boolean => status === 400 && detail === "Insufficient balance"

function addRefusal(pending: PendingTransfer, answer: Refused) {
  removeTransfer(pending)
  if (me.peek()?.username !== pending.username) return
  const { key, transfer } = pending
  const refusal = {
    key,
    transfer,
    message: messageOf(answer),
    isSessionEnded: answer.status === 401,
    isRestored: false,
  }
  refusals.value = [refusal, ...refusals.value]
}

const isKeyExpired = ({ startedMs }: PendingTransfer): boolean => {
  const ageMs = Date.now() - startedMs
  return ageMs < -clockMarginMs || ageMs > keyLifetimeMs
}

function updateTransfer({ key }: PendingTransfer, news: Partial<PendingTransfer>) {
  setOutbox(outbox.value.map((one) => (one.key === key ? { ...one, ...news } : one)))
}

function setOutbox(transfers: readonly PendingTransfer[]) {
  outbox.value = transfers
  storePending(transfers)
}

function matches(entry: Recognition, { username, transfer, afterId }: PendingTransfer): boolean {
  const isToThem =
    peopleOf(transfer).some((one) => one.username === entry.to_username) ||
    peopleOf(transfer).length < transfer.to.length
  return (
    entry.id > afterId &&
    entry.from_username === username &&
    isToThem &&
    entry.value === transfer.value &&
    (entry.reason ?? "") === transfer.reason &&
    entry.tags.join() === transfer.tags.join()
  )
}

// What was on its way when the page was left is sent again as soon as its giver is here.
for (const pending of outbox.peek())
  if (pending.state.kind !== "expired") void senderLoggedIn(pending).then(() => sendUntilSettled(pending))
