import { computed, effect, signal } from "@preact/signals"
import { createBackoff } from "../live/backoff.ts"
import type { Recognition } from "../live/entry.ts"
import { wordsOf } from "../server/words.ts"
import { me, refreshAccount } from "../session.ts"
import { type Gift, personsOf } from "./gift.ts"
import { send } from "./send.ts"
import { keepUnsettled, unsettledOf } from "./unsettled.ts"
import { wakened } from "./wakened.ts"

/** A gift from the moment that it is confirmed until the feed shows it. */
export interface Act {
  /** Under it the server gives once, however often it is asked. */
  readonly key: string
  readonly username: string
  readonly gift: Gift
  readonly startedMs: number
  /** The newest id that was seen before it: what the feed shows of it has a later one. */
  readonly afterId: number
  readonly state:
    | { readonly kind: "sending" }
    /** An answer was lost: it is asked again. */
    | { readonly kind: "unknown" }
    /** Too long ago to be asked again under its key. */
    | { readonly kind: "expired" }
    | { readonly kind: "given"; readonly date: string }
}

/** The server keeps a key for 24 hours; after it, asking again would give again. */
const keyLifetimeMs = 23 * 3_600_000

/** What is on its way, the newest first. */
export const outbox = signal<readonly Act[]>([])

/** What the server did not take, in its words. */
export const refusal = signal<{ readonly gift: Gift; readonly words: string | null } | null>(null)

let seenThrough = 0

/** Gives, and shows it at once. */
export function give(gift: Gift) {
  const username = me.peek()?.username
  if (username === undefined) return
  const state = { kind: "sending" } as const
  const act: Act = { key: crypto.randomUUID(), username, gift, startedMs: Date.now(), afterId: seenThrough, state }
  refusal.value = null
  change([act, ...outbox.value])
  void settle(act, { isFirst: true })
}

/** The feed shows it: it is not on its way any more. Each feed tells what it got. */
export function acknowledge(entries: readonly Recognition[]) {
  seenThrough = Math.max(seenThrough, ...entries.map(({ id }) => id))
  const left = outbox.peek().filter((act) => !entries.some((entry) => isOf(entry, act)))
  if (left.length < outbox.peek().length) change(left)
}

/** Takes it out of sight; what became of it the history knows. */
export function forget({ key }: Act) {
  change(outbox.value.filter((one) => one.key !== key))
}

/** The ledger has told all that there is to tell of it. */
export function forgetGiven() {
  change(outbox.value.filter(({ state }) => state.kind !== "given"))
}

async function settle(act: Act, { isFirst }: { isFirst: boolean }) {
  const backoff = createBackoff()
  for (let isKnown = isFirst; ; isKnown = false) {
    const answer = await send(act.gift, act.key)
    if (answer.kind === "done") {
      become(act, { kind: "given", date: new Date().toISOString() })
      return refreshAccount()
    }
    const isSessionOver = answer.kind === "refused" && answer.status === 401
    if (answer.kind === "refused" && (isKnown || !isSessionOver)) {
      forget(act)
      refusal.value = { gift: act.gift, words: isSessionOver ? null : wordsOf(answer) }
      return refreshAccount()
    }
    become(act, { kind: "unknown" })
    await wakened(backoff.nextMs(), act.username)
    if (!outbox.value.some(({ key }) => key === act.key)) return refreshAccount()
    if (Date.now() - act.startedMs > keyLifetimeMs) return become(act, { kind: "expired" })
  }
}

function become(act: Act, state: Act["state"]) {
  change(outbox.value.map((one) => (one.key === act.key ? { ...one, state } : one)))
}

function change(acts: readonly Act[]) {
  outbox.value = acts
  keepUnsettled(acts)
}

function isOf(entry: Recognition, { username, gift, afterId }: Act): boolean {
  const isToThem =
    personsOf(gift).some((one) => one.username === entry.to_username) || personsOf(gift).length < gift.to.length
  return (
    entry.id > afterId &&
    entry.from_username === username &&
    isToThem &&
    entry.value === gift.value &&
    (entry.reason ?? "") === gift.reason &&
    entry.tags.join() === gift.tags.join()
  )
}

const username = computed(() => me.value?.username)

// What was on its way when the page was left is asked again.
effect(() => {
  if (username.value === undefined) return
  const known = new Set(outbox.peek().map(({ key }) => key))
  const left = unsettledOf(username.value).filter(({ key }) => !known.has(key))
  if (left.length === 0) return
  change([...outbox.peek(), ...left])
  for (const act of left) void settle(act, { isFirst: false })
})
