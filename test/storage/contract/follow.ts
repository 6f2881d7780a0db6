import { expect, test } from "bun:test"
import type { StreamEntry } from "../../../src/domain/ledger/model.ts"
import type { LedgerStore } from "../../../src/domain/ledger/ports.ts"
import { until } from "../../support/until.ts"
import { allow, person, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

/** Resolves when this store has called a listener after a commit. */
const appended = (ledger: LedgerStore) =>
  new Promise<void>((resolve) => {
    const stop = ledger.onAppend(() => {
      stop()
      resolve()
    })
  })

export function followPromises(open: OpenSubject) {
  test("an empty ledger has the last id 0 and nothing after it", async () => {
    await using subject = await open()

    expect(await subject.store.ledger.lastId()).toBe(0)
    expect(await subject.store.ledger.after(0, 10)).toEqual([])
  })

  test("transactions after an id are read in ascending order, with names, up to the limit", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const ana = await users.create(person("Ana Souza", { username: "ana" }))
    const bruno = await users.create(person("Bruno Lima", { username: "bruno" }))
    for (const value of [10, 20, 30])
      await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value, date: value * 100 }, allow)

    const named = {
      kind: "transfer" as const,
      receiverId: bruno.id,
      receiverName: "Bruno Lima",
      senderId: ana.id,
      senderName: "Ana Souza",
      group: null,
      addsTo: null,
      receivers: null,
    }
    const second = { ...named, id: 2, value: 20, date: 2000 }
    const third = { ...named, id: 3, value: 30, date: 3000 }
    expect(await ledger.after(1, 10)).toEqual([second, third])
    expect(await ledger.after(1, 1)).toEqual([second])
    expect(await ledger.after(3, 10)).toEqual([])
    expect(await ledger.after(99, 10)).toEqual([])
    expect(await ledger.lastId()).toBe(3)
  })

  test("a reader that always asks for what comes after its last id misses nothing while others write", async () => {
    await using subject = await open()
    const writers = [subject.store, await subject.reopen()]
    const { ledger } = await subject.reopen()
    const { ana, bruno } = await threePeople(subject.store)
    const seen: StreamEntry[] = []
    const read = async () => {
      while (seen.length < 400) {
        seen.push(...(await ledger.after(seen.at(-1)?.id ?? 0, 7)))
        await new Promise(setImmediate)
      }
    }

    const write = writers.map(async (writer, index) => {
      for (let value = 1; value <= 200; value += 1) {
        const post = writer.ledger.post(
          { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value, date: 1 },
          allow,
        )
        if (value % (index + 3) === 0) await post
      }
    })
    await Promise.all([...write, read()])

    expect(seen.map(({ id }) => id)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1))
  })

  test("listeners are called soon after a commit that appended, once it can be read", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const told = [appended(ledger), appended(ledger)]

    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }, allow)
    await Promise.all(told)

    expect(await ledger.after(0, 10)).toMatchObject([{ id: 1 }])
  })

  test("a stopped listener is not called, and a refused transaction calls no listener", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }
    const calls = { stopped: 0, listening: 0 }
    const stop = ledger.onAppend(() => {
      calls.stopped += 1
    })
    ledger.onAppend(() => {
      calls.listening += 1
    })

    const refuse = () => {
      throw new Error("no")
    }
    for (let count = 1; count <= 20; count += 1) await refusalOf(ledger.post(entry, refuse))
    expect(calls.listening).toBeLessThanOrEqual(1) // a store also calls when it starts to listen to others

    await ledger.post(entry, allow)
    await until(() => calls.stopped > 0 && calls.listening > 0)
    stop()
    const before = { ...calls }
    await ledger.post(entry, allow)
    await until(() => calls.listening > before.listening)
    expect(calls.stopped).toBe(before.stopped)
  })
}
