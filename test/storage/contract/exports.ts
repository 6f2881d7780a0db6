import { expect, test } from "bun:test"
import { allow, person, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const usernames = [undefined, "ana", "bruno", "carla", "nobody"]

export function exportPromises(open: OpenSubject) {
  test("exported transactions equal those of the page with the same filters, for every combination", async () => {
    await using subject = await open()
    const { ledger, exports } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const people = [ana, bruno, carla]
    const entries = Array.from({ length: 90 }, (_, index) => ({
      kind: "transfer" as const,
      senderId: people[(index * 7 + (index >> 3)) % 3]?.id ?? 0,
      receiverId: people[(index * 5 + (index >> 2)) % 3]?.id ?? 0,
      value: index + 1,
      date: index,
    }))
    await ledger.postAll(entries, allow)

    for (const participant of [undefined, ...people])
      for (const receiver of usernames)
        for (const sender of usernames) {
          const query = {
            ...(participant && { participantId: participant.id }),
            ...(receiver && { receiver }),
            ...(sender && { sender }),
          }
          const { items } = await ledger.page({ ...query, page: 1, size: 100 })
          expect((await Array.fromAsync(exports.transactions(query))).flat()).toEqual([...items])
        }
  })

  test("transactions added after the first slice are left out, and the event loop runs between slices", async () => {
    await using subject = await open()
    const { ledger, exports, users } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }
    await ledger.postAll(Array(1200).fill(entry), allow)

    for (const query of [{}, { participantId: ana.id }, { receiver: "bruno" }, { sender: "ana", receiver: "bruno" }]) {
      const last = await ledger.lastId()
      const ids: number[] = []
      for await (const slice of exports.transactions(query)) {
        ids.push(...slice.map(({ id }) => id))
        await ledger.post(entry, allow)
      }
      expect(ids).toEqual(Array.from({ length: last }, (_, index) => index + 1))
      expect(await ledger.lastId()).toBeGreaterThan(last + 1)
    }

    const everybody: string[] = []
    for await (const slice of exports.users()) {
      everybody.push(...slice.map(({ username, balance }) => `${username} ${balance}`))
      await users.create(person("Davi"))
    }
    const balance = await users.balanceOf(bruno.id)
    expect(everybody).toEqual([`ana ${-balance}`, `bruno ${balance}`, "carla 0"])
  })

  test("the export of an empty ledger is empty", async () => {
    await using subject = await open()

    expect(await Array.fromAsync(subject.store.exports.transactions({}))).toEqual([])
    expect(await Array.fromAsync(subject.store.exports.users())).toEqual([])
  })
}
