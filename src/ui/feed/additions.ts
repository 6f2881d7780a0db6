import { signal } from "@preact/signals"
import { storedValue } from "../browser-storage.ts"
import { dayMs, hourMs } from "../dates.tsx"
import { liveFeed, type Recognition } from "../live.ts"
import { type Answer, api, type Refused, request } from "../server/api.ts"
import { messageOf } from "../server/failure-messages.ts"
import { createBackoff, retryDelay } from "../server/retry.ts"
import { beforeLogOut, isMe, me, onLogOut, onUserChange, refreshAccount, session, waitUntil } from "../session.ts"

type Added = Recognition["added"]

/** What was added to recognitions since the lists loaded them, by their ids. */
const newerAdded = signal<ReadonlyMap<number, Added>>(new Map())
onUserChange(() => {
  newerAdded.value = new Map()
})
liveFeed.onChange(cacheAdded)

/** Call with the state of a recognition that the server has just told. */
export function cacheAdded({ id, added }: Pick<Recognition, "id" | "added">) {
  newerAdded.value = new Map([...newerAdded.peek(), [id, added]])
}

/** What others added to this recognition, as far as this page knows. */
export const addedTo = ({ id, added }: Pick<Recognition, "id" | "added">): Added => newerAdded.value.get(id) ?? added

/** Call when a list has loaded these recognitions, because the list then has the newest state of them. */
export function dropCachedAdded(loaded: readonly { readonly id: number }[]) {
  const ids = new Set(loaded.map(({ id }) => id))
  newerAdded.value = new Map([...newerAdded.peek()].filter(([id]) => !ids.has(id)))
}

/**
 * Points that the user adds to a recognition, until their outcome is known:
 *
 *     held ────── a moment passes, or the page is closed ──> sending
 *     held ────── the user undoes it ──────────────────────> removed
 *     sending ─── the server answers ──────────────────────> removed; a refusal stays at the recognition
 *     sending ─── no answer, or the page was reloaded ─────> unknown: sent again after a delay, by the same user
 *     unknown ─── 23 hours after the tap ──────────────────> expired
 *     expired ─── the user removes it ─────────────────────> removed
 */
export interface PendingAddition {
  /** The idempotency key: the server adds the points once, however often they are sent. */
  readonly key: string
  readonly username: string
  readonly recognitionId: number
  /** Points for each receiver. */
  readonly value: number
  readonly startedMs: number
  readonly state: "held" | "sending" | "unknown" | "expired"
}

/** How long points can be taken back before they are sent. */
export const undoMs = 5000
/** After this time without a response, the outcome is unknown. */
const sendTimeoutMs = 10_000
/** The server keeps a key for 24 hours; one hour is a margin for clock changes. */
const clockMarginMs = hourMs
const keyLifetimeMs = dayMs - clockMarginMs

/** Pending additions survive a reload, but end with the tab. */
const storage = storedValue("additions", () => sessionStorage)

/** Of all users of this tab. */
export const pendingAdditions = signal<readonly PendingAddition[]>(loadPending())

/** Why the server refused what the user wanted to add, by the id of the recognition. */
export const additionRefusals = signal<ReadonlyMap<number, string>>(new Map())
onUserChange(() => {
  additionRefusals.value = new Map()
})

/** The user's pending addition to this recognition; null for none. */
export const pendingAdditionTo = (id: number): PendingAddition | null =>
  pendingAdditions.value.find((one) => one.recognitionId === id && isMe(one.username)) ?? null

/** Adds points in a moment, until then it can be undone. */
export function addPoints(recognitionId: number, value: number) {
  const username = me.peek()?.username
  if (username === undefined) return
  setRefusal(recognitionId, null)
  const key = crypto.randomUUID()
  setPending([
    ...pendingAdditions.peek(),
    { key, username, recognitionId, value, startedMs: Date.now(), state: "held" },
  ])
  setTimeout(() => {
    for (const held of heldAdditions()) if (held.key === key) release(held)
  }, undoMs)
}

/** What the user can still take back. */
const heldAdditions = () => pendingAdditions.peek().filter(({ state }) => state === "held")

/** Sends points that are held, unless somebody else is logged in by now: then when their sender is back. */
function release(held: PendingAddition) {
  if (isBySender(held)) void sendUntilSettled(held)
  else void senderLoggedIn(held).then(() => sendUntilSettled(held))
}

const isBySender = ({ username }: PendingAddition): boolean => isMe(username)

beforeLogOut(() => {
  heldAdditions().forEach(release)
  return waitUntil(() => !pendingAdditions.value.some(({ state }) => state === "sending"))
})
onLogOut(() => setPending([]))

/** Call for points that were not sent, or whose outcome cannot be known. */
export function removeAddition({ key }: PendingAddition) {
  setPending(pendingAdditions.peek().filter((one) => one.key !== key))
}

/** Sends points until their outcome is known. */
async function sendUntilSettled(addition: PendingAddition) {
  const backoff = createBackoff()
  for (let isFirst = addition.state === "held"; ; isFirst = false) {
    if (!pendingAdditions.peek().some(({ key }) => key === addition.key)) return // the sender has logged out since
    if (isExpired(addition)) return setState(addition, "expired")
    setState(addition, isFirst ? "sending" : "unknown")
    const answer = await post(addition)
    if (answer.kind === "done") return settle(addition, null)
    if (answer.kind === "refused" && (isFirst ? wasNotProcessed(answer) : provesNotAdded(answer)))
      return settle(addition, messageOf(answer))
    setState(addition, "unknown")
    await retryDelay(backoff.nextMs())
    await senderLoggedIn(addition)
  }
}

async function post({ key, recognitionId, value }: PendingAddition): Promise<Answer<object>> {
  const sent = { headers: { "idempotency-key": key }, fetch: { signal: AbortSignal.timeout(sendTimeoutMs) } }
  const answer = await request(api.api.v1.recognitions({ id: recognitionId }).points.post({ value }, sent))
  // A success without transactions comes from a proxy, not from this server.
  return answer.kind === "done" && !Array.isArray(Object(answer.data).items) ? { kind: "unreachable" } : answer
}

/** The recognition shows the points before their own line goes. */
async function settle(addition: PendingAddition, refusal: string | null) {
  const { recognitionId: id, username } = addition
  if (refusal === null) {
    const answer = await request(api.api.v1.recognitions({ id }).get())
    if (answer.kind === "done" && isMe(username)) cacheAdded(answer.data)
  } else if (isMe(username)) setRefusal(id, refusal)
  removeAddition(addition)
  await refreshAccount()
}

/** Resolves once the sender is logged in on this page. */
const senderLoggedIn = ({ username }: PendingAddition): Promise<void> =>
  waitUntil(() => session.value.kind === "member" && isMe(username))

/** Whether a refusal of the first attempt proves that nothing was added. A gateway's 502 or 504 does not. */
const wasNotProcessed = ({ status }: Refused): boolean => status < 500 || status === 503

/** Whether a refusal of a later attempt proves that the earlier ones added nothing: these checks come after that of the key. */
const provesNotAdded = ({ code }: Refused): boolean => code === "insufficient_balance" || code === "taken_back"

function isExpired({ startedMs }: PendingAddition): boolean {
  const ageMs = Date.now() - startedMs
  return ageMs < -clockMarginMs || ageMs > keyLifetimeMs
}

function setRefusal(id: number, message: string | null) {
  const others = [...additionRefusals.peek()].filter(([other]) => other !== id)
  additionRefusals.value = new Map(message === null ? others : [...others, [id, message]])
}

function setState({ key }: PendingAddition, state: PendingAddition["state"]) {
  setPending(pendingAdditions.peek().map((one) => (one.key === key ? { ...one, state } : one)))
}

function setPending(additions: readonly PendingAddition[]) {
  pendingAdditions.value = additions
  storage.set(additions.length === 0 ? null : JSON.stringify(additions))
}

/** Pending additions from before a reload. What was held was sent when the page closed; that may not have arrived. */
function loadPending(): PendingAddition[] {
  const additions = JSON.parse(storage.get() ?? "[]") as PendingAddition[]
  return additions.map((one) => (one.state === "expired" ? one : { ...one, state: "unknown" }))
}

// A closed page sends what it still holds. Nobody reads the answers.
window.addEventListener("pagehide", () => {
  for (const held of heldAdditions().filter(isBySender)) {
    const { key, recognitionId, value } = held
    setState(held, "unknown")
    void fetch(`/api/v1/recognitions/${recognitionId}/points`, {
      method: "POST",
      keepalive: true,
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify({ value }),
    }).catch(() => {})
  }
})

// Resumes those of a previous page load once their sender is logged in.
const resume = () => {
  for (const one of pendingAdditions.peek())
    if (one.state === "unknown") void senderLoggedIn(one).then(() => sendUntilSettled(one))
}
resume()
// The back-forward cache may restore a page that has sent what it held.
window.addEventListener("pageshow", ({ persisted }) => persisted && resume())
