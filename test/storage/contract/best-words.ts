import { expect, test } from "bun:test"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import type { NewTransaction } from "../../../src/domain/ledger/model.ts"
import type { BestWords } from "../../../src/domain/recognition/model.ts"
import type { WordsWithin } from "../../../src/domain/recognition/ports.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

interface Thanked extends NewTransaction {
  readonly id: number
  /** The id of the first transfer of its group, or its own. */
  readonly entry: number
  taken: number
  responses: number
}

/** Repeatable, so that a failure can be looked at. */
function createRandom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1
    return state % below
  }
}

export function bestWordPromises(open: OpenSubject) {
  test("the best public words are found among all, however long ago, on every store alike", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno, carla } = await threePeople(store)
    const ids = [ana.id, bruno.id, carla.id]
    const random = createRandom(7)
    const posted: Thanked[] = []

    // More than two steps; groups lie across the beginning of a step too.
    while (posted.length < 4300) {
      const batch = Array.from({ length: 300 }, (): Promise<void> => {
        const senderId = ids[random(3)] ?? 0
        const others = ids.filter((id) => id !== senderId)
        const isGroup = random(4) === 0 || (posted.length >= 1996 && posted.length <= 2000)
        const receiverIds = isGroup ? others : [random(20) === 0 ? senderId : (others[random(2)] ?? 0)]
        const note = {
          reason: random(5) === 0 ? "" : "𝔸é".repeat(random(40)) + "x".repeat(random(2)),
          tags: ["a"],
          isPrivate: false,
        }
        const isPrivate = note.reason !== "" && random(6) === 0
        const transfers = receiverIds.map((receiverId, place) => ({
          kind: "transfer" as const,
          ...{ senderId, receiverId, value: 10, date: 1, note: { ...note, isPrivate } },
          ...(isGroup && { place }),
        }))
        const first = posted.length + 1
        posted.push(
          ...transfers.map((one, place) => ({ ...one, id: first + place, entry: first, taken: 0, responses: 0 })),
        )
        return isGroup
          ? store.ledger.postAll(transfers, allow).then(() => {})
          : store.ledger.post(transfers[0] as NewTransaction, allow).then(() => {})
      })
      await Promise.all(batch)
    }
    for (let count = 0; count < 200; count += 1) await takeBack(posted[random(posted.length)])
    for (const one of posted.filter(({ id, entry }) => id === entry && random(30) === 0)) await respond(one)
    const eraser = store.users
    await eraser.setActive(carla.id, 1)

    for (const { insights } of [store, await subject.reopen()])
      for (const [first, last] of [
        [1, posted.length],
        [1, 1999],
        [1998, 2002],
        [2300, 4100],
        [4200, 4200],
      ] as const)
        for (const limit of [1, 3, 10])
          for (const receiverId of [null, bruno.id]) {
            const within = { first, last, receiverId }
            expect({ within, limit, ...(await insights.bestWords(within, limit)) }).toEqual({
              ...{ within, limit },
              ...model(posted, within, limit),
            })
          }

    const replacement = {
      username: "erased-1",
      name: "Former colleague",
      email: "e@x.invalid",
      password: carla.password,
    }
    await eraser.erase(
      carla.id,
      { at: 2, replacement, reasons: "all" },
      {
        at: 2,
        action: "user_erased",
        who: null,
        whom: null,
        way: "server",
        address: null,
        count: 1,
        detail: null,
        before: null,
        after: null,
      },
    )
    const entriesOfCarla = new Set(
      posted.filter((one) => [one.senderId, one.receiverId].includes(carla.id)).map(({ entry }) => entry),
    )
    const left = posted.filter(({ entry }) => !entriesOfCarla.has(entry))
    for (const { insights } of [store, await subject.reopen()])
      for (const receiverId of [null, bruno.id]) {
        const within = { first: 1, last: posted.length, receiverId }
        expect(await insights.bestWords(within, 9)).toEqual(model(left, within, 9))
      }

    async function takeBack(one: Thanked | undefined) {
      if (!one || one.taken === 10 || one.senderId === one.receiverId) return
      const value = random(3) === 0 ? 5 : 10 - one.taken
      if (value + one.taken > 10) return
      const { senderId, receiverId, id: reverses } = one
      const reversal = {
        kind: "reversal" as const,
        senderId: receiverId,
        receiverId: senderId,
        value,
        date: 1,
        reverses,
      }
      await store.ledger.post(reversal, allow)
      one.taken += value
    }

    async function respond(one: Thanked) {
      const count = 1 + random(3)
      for (const emoji of ["👏", "🎉", "💚"].slice(0, count)) await store.responses.react(one.id, ana.id, emoji, 20)
      const said = { recognitionId: one.id, authorId: bruno.id, text: "Yes!", date: 1, notifiedIds: [] }
      const replies = [await store.responses.reply(said), await store.responses.reply(said)]
      if (random(2) === 0) await store.responses.deleteReply(replies[0]?.id ?? 0)
      else one.responses += 1
      const hidden: AuditEntry = {
        ...{ at: 1, action: "reply_hidden", who: "a", whom: "b", way: "http", count: 1, detail: null },
        ...{ address: null, before: null, after: null },
      }
      if (random(2) === 0) await store.responses.hideReply(replies[1]?.id ?? 0, true, hidden)
      else one.responses += 1
      one.responses += count
    }
  }, 120_000)

  test("an empty period has no words", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    await thank(subject.store, ana.id, bruno.id)

    for (const receiverId of [null, bruno.id])
      expect(await subject.store.insights.bestWords({ first: 1, last: 1, receiverId }, 3)).toEqual({
        warmest: [],
        longest: null,
      })
  })
}

const thank = ({ ledger }: Store, senderId: number, receiverId: number) =>
  ledger.post({ kind: "transfer", senderId, receiverId, value: 1, date: 1 }, allow)

/** The simplest way to find them: by entries, or the transfers that one person received. */
function model(posted: readonly Thanked[], { first, last, receiverId: to }: WordsWithin, limit: number): BestWords {
  const open = posted.filter(
    ({ id, senderId, receiverId, taken, note }) =>
      (to === null || receiverId === to) &&
      id >= first &&
      id <= last &&
      senderId !== receiverId &&
      taken < 10 &&
      note?.reason &&
      !note.isPrivate,
  )
  const responsesTo = new Map(posted.filter(({ id, entry }) => id === entry).map((one) => [one.id, one.responses]))
  const entries = [...Map.groupBy(open, ({ entry, id }) => (to === null ? entry : id)).values()].map((transfers) => ({
    entry: to === null ? (transfers[0]?.entry ?? 0) : (transfers[0]?.id ?? 0),
    id: transfers[0]?.id ?? 0,
    responses: responsesTo.get(transfers[0]?.entry ?? 0) ?? 0,
    length: [...(transfers[0]?.note?.reason ?? "")].length,
  }))
  const byLength = entries.toSorted((one, other) => other.length - one.length || other.entry - one.entry)
  const byResponses = byLength.toSorted((one, other) => other.responses - one.responses)
  return { warmest: byResponses.slice(0, limit).map(({ id }) => id), longest: byLength[0]?.id ?? null }
}
