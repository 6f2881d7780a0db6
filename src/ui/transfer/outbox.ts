import { signal } from "@preact/signals"
import { kept } from "../browser-storage.ts"
import type { Recognition } from "../live.ts"
import { wordsOf } from "../server/failure-messages.ts"
import type { Failure } from "../server/request.ts"
import { createBackoff, wakened } from "../server/retry.ts"
import { forgetBetweenPeople, me, refreshAccount, session, until } from "../session.ts"
import { type Gift, personsOf, send } from "./transfer.ts"

/** What is on its way outlasts a reload of this page, but not its tab. */
const storage = kept("outbox", () => sessionStorage)

export function keepUnsettled(acts: readonly Act[]) {
  const unsettled = acts.filter(({ state }) => state.kind !== "given")
  storage.set(unsettled.length === 0 ? null : JSON.stringify(unsettled))
}

/** What was on its way when the page was left: what became of it is not known. */
export function unsettled(): Act[] {
  const acts = JSON.parse(storage.get() ?? "[]") as Act[]
  return acts.map((act) => (act.state.kind === "sending" ? { ...act, state: { kind: "unknown" } } : act))
}

/** A gift from the moment that it is confirmed until the feed shows it. */
export interface Act {
  /** Under it the server gives once, however often it is asked. */
  readonly key: string
  readonly username: string
  readonly gift: Gift
  readonly startedMs: number
  /** The newest id that was seen before it: what the feed shows of it has a later one. */
  readonly afterId: number
  /** The feed shows a transaction that looks like it, so it is not shown twice. Only the server's answer settles it. */
  readonly isInFeed: boolean
  readonly state:
    | { readonly kind: "sending" }
    /** An answer was lost: the gift is sent again under its key until a definite answer comes. */
    | { readonly kind: "unknown" }
    /** Unknown for so long that its key may be forgotten: sent again, it might be given twice. */
    | { readonly kind: "expired" }
    | { readonly kind: "given"; readonly date: string; readonly ids: readonly number[] }
}

/** A gift that the server did not take. */
export interface Refusal {
  readonly key: string
  readonly gift: Gift
  readonly words: string
  /** The session had ended: there is nothing to say once the gift is back in the box. */
  readonly isSessionOver: boolean
  /** The gift was put back into the box. */
  readonly isBack: boolean
}

/** The server keeps a key for 24 hours; an hour is for clocks that are set meanwhile. */
const clockMarginMs = 3_600_000
const keyLifetimeMs = 24 * 3_600_000 - clockMarginMs

/** What is on its way, the newest first; also of people who used this tab before. */
export const outbox = signal<readonly Act[]>(unsettled())

/** What the server did not take, the newest first. */
export const refusals = signal<readonly Refusal[]>([])
forgetBetweenPeople(() => {
  refusals.value = []
})

let seenThrough = 0
/** Transactions that were taken for an act: each stands for one. */
const claimed = new Set<number>()

/** Gives, and shows it at once. */
export function give(gift: Gift) {
  const username = me.peek()?.username
  if (username === undefined) return
  const act: Act = {
    key: crypto.randomUUID(),
    username,
    gift,
    startedMs: Date.now(),
    afterId: seenThrough,
    isInFeed: false,
    state: { kind: "sending" },
  }
  refusals.value = refusals.value.filter(({ isBack }) => !isBack)
  change([act, ...outbox.value])
  void settle(act)
}

/** The feed shows these: what is given is not on its way any more. Each feed tells what it got. */
export function acknowledge(entries: readonly Recognition[]) {
  seenThrough = Math.max(seenThrough, ...entries.map(({ id }) => id))
  for (const entry of entries) {
    const given = outbox.peek().find(({ state }) => state.kind === "given" && state.ids.includes(entry.id))
    if (given !== undefined) forget(given)
    else if (!claimed.has(entry.id)) claim(entry)
  }
}

/** An entry may be an act whose answer has not come yet: of several that look the same, the oldest. */
function claim(entry: Recognition) {
  const act = outbox.peek().findLast((one) => one.state.kind !== "given" && !one.isInFeed && isOf(entry, one))
  if (act === undefined) return
  claimed.add(entry.id)
  alter(act, { isInFeed: true })
}

/** Takes it out of sight; what became of it the history knows. */
export function forget({ key }: Act) {
  change(outbox.value.filter((one) => one.key !== key))
}

/** The ledger has told all that there is to tell of it. */
export function forgetGiven() {
  change(outbox.value.filter(({ state }) => state.kind !== "given"))
}

/** Marks a refused gift as put back into the box. */
export function markBack({ key }: Refusal) {
  refusals.value = refusals.value
    .map((one) => (one.key === key ? { ...one, isBack: true } : one))
    .filter(({ isBack, isSessionOver }) => !(isBack && isSessionOver))
}

/** Sends until the outcome is known. */
async function settle(act: Act) {
  const backoff = createBackoff()
  for (let isUnknown = act.state.kind !== "sending"; ; isUnknown = true) {
    if (isUnknown && isPastKey(act)) return alter(act, { isInFeed: false, state: { kind: "expired" } })
    const answer = await send(act.gift, act.key)
    if (answer.kind === "done") {
      const { ids } = answer.data
      for (const id of ids) claimed.add(id)
      if (ids.every((id) => id <= seenThrough)) forget(act)
      else alter(act, { isInFeed: false, state: { kind: "given", date: new Date().toISOString(), ids } })
      return refreshAccount()
    }
    if (answer.kind === "refused" && (isUnknown ? saysNotGiven(answer) : wasNotTried(answer))) {
      refuse(act, answer)
      return refreshAccount()
    }
    alter(act, { state: { kind: "unknown" } })
    await wakened(backoff.nextMs())
    await present(act)
  }
}

/** Resolves once whoever gives this is logged in here. */
const present = ({ username }: Act): Promise<void> =>
  until(() => session.value.kind === "member" && session.value.me.username === username)

type Refused = Extract<Failure, { kind: "refused" }>

/** Whether this refusal of a first request means that nothing was given. A gateway's 502 or 504 does not say so. */
const wasNotTried = ({ status }: Refused): boolean => status < 500 || status === 503

/**
 * Whether this refusal of a repeated request means that the ones before were in vain, too: the server asks for the
 * balance after it has looked the key up. What else it may refuse for, it finds before, as an ended session, a full disk,
 * or a tag that there is no more; that says nothing about the first request.
 */
const saysNotGiven = ({ status, detail }: Refused): boolean => status === 400 && detail === "Insufficient balance"

function refuse(act: Act, answer: Refused) {
  forget(act)
  if (me.peek()?.username !== act.username) return
  const { key, gift } = act
  const refusal = { key, gift, words: wordsOf(answer), isSessionOver: answer.status === 401, isBack: false }
  refusals.value = [refusal, ...refusals.value]
}

const isPastKey = ({ startedMs }: Act): boolean => {
  const ageMs = Date.now() - startedMs
  return ageMs < -clockMarginMs || ageMs > keyLifetimeMs
}

function alter({ key }: Act, news: Partial<Act>) {
  change(outbox.value.map((one) => (one.key === key ? { ...one, ...news } : one)))
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

// What was on its way when the page was left is sent again as soon as its giver is here.
for (const act of outbox.peek()) if (act.state.kind !== "expired") void present(act).then(() => settle(act))
