import { describe, expect, test } from "bun:test"
import type { EntryQuery } from "../../../src/domain/ledger/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

type Read = (store: Store, signal: AbortSignal) => Promise<unknown>

const days = { first: 0, last: 30 }

/** Every read that may take long. */
const reads: Readonly<Record<string, Read>> = {
  "a page of the history": ({ ledger }, signal) => ledger.page({ page: 1, size: 10, signal }),
  "entries of the history": ({ ledger }, signal) => ledger.entries({ limit: 10, signal }),
  recognitions: ({ recognitions }, signal) => recognitions.newest({ participantIds: [], limit: 10, signal }),
  "recognitions of a department": ({ recognitions }, signal) =>
    recognitions.newest({ participantIds: [], dept: "sales", limit: 10, signal }),
  "a person's days": ({ statistics }, signal) => statistics.daysOf(1, 0, 30, signal),
  participation: ({ insights }, signal) => insights.participation(days, signal),
  "recognition between departments": ({ insights }, signal) => insights.departments(days, signal),
  "tags of recognitions": ({ insights }, signal) => insights.tags(days, signal),
  "people and their recognition": ({ insights }, signal) => insights.people(days, signal),
  "a look back": ({ insights }, signal) => insights.recap(null, days, signal),
  "recognition of some people": ({ insights }, signal) => insights.ofPeople([1], days, signal),
  "the best words": ({ insights }, signal) => insights.bestWords({ first: 1, last: 1, receiverId: null }, 3, signal),
  "what a person received": ({ insights }, signal) => insights.received(1, 0, signal),
  "a search for people": ({ people }, signal) =>
    people.search({ words: [], dept: null, active: true, after: null, size: 10, signal }),
  "provisioned people": ({ provisioned }, signal) => provisioned.page(0, 10, signal),
}

type NoteMatches = NonNullable<EntryQuery["noteMatches"]>

const searches: Readonly<
  Record<string, (store: Store, noteMatches: NoteMatches, signal: AbortSignal) => Promise<unknown>>
> = {
  "of the history": ({ ledger }, noteMatches, signal) => ledger.entries({ noteMatches, limit: 10, signal }),
  "of recognitions": ({ recognitions }, noteMatches, signal) =>
    recognitions.newest({ participantIds: [], noteMatches, limit: 10, signal }),
}

export function leavingPromises(open: OpenSubject) {
  describe("a read of somebody who has gone throws the reason of the signal:", () => {
    test.each(Object.entries(reads))("%s", async (_, read) => {
      await using subject = await open()
      const { ana, bruno } = await threePeople(subject.store)
      await subject.store.ledger.post(
        { kind: "grant", senderId: ana.id, receiverId: bruno.id, value: 1, date: 0 },
        allow,
      )
      const caller = new AbortController()
      await read(subject.store, caller.signal)

      const reason = new Error("the caller has gone")
      caller.abort(reason)
      expect(await refusalOf(read(subject.store, caller.signal))).toBe(reason)
      await read(subject.store, new AbortController().signal)
    })
  })

  test.each(Object.entries(searches))("32 searches %s stop as soon as those who asked have gone", async (_, search) => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno } = await threePeople(store)
    const notes = 2000
    // More than there are connections and threads; few enough that none waits in vain for a connection on a busy machine.
    const searchers = 32
    const note = { reason: "for your help", tags: [], isPrivate: false }
    const transfer = { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 0, note } as const
    await Promise.all(Array.from({ length: notes }, () => store.ledger.post(transfer, allow)))
    const callers = new AbortController()
    let compared = 0
    let comparedWhenTheyLeft: number | undefined
    const noteMatches = () => {
      compared += 1
      if (compared === 1)
        setImmediate(() => {
          comparedWhenTheyLeft = compared
          callers.abort()
        })
      return false
    }

    const found = await Promise.allSettled(
      Array.from({ length: searchers }, () => search(store, noteMatches, callers.signal)),
    )

    expect(comparedWhenTheyLeft).toBeWithin(1, searchers * notes)
    expect(compared).toBe(comparedWhenTheyLeft ?? 0)
    const left = found.flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
    expect(left.length).toBeGreaterThan(found.length / 2) // the first ones may have finished before
    expect(left.filter((reason) => reason !== callers.signal.reason)).toEqual([])
  })
}
