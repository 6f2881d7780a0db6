import { expect, test } from "bun:test"
import type { StreamEntry } from "../../src/domain/ledger/model.ts"
import { nextTick } from "../../src/domain/ticks.ts"
import { createFramePages } from "../../src/stream/frame-pages.ts"
import { type Frame, transactionFormats } from "../../src/stream/frames.ts"
import { until } from "../support/until.ts"

const shown = { amounts_shown: "everyone" } as const

/** A ledger of `count` transactions that records the reads. */
function ledgerOf(count: number, name = "Ana") {
  const reads: number[] = []
  const entries: StreamEntry[] = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    kind: "transfer",
    date: 0,
    value: index + 1,
    receiverId: 1,
    senderId: 2,
    receiverName: name,
    senderName: name,
    group: null,
    addsTo: null,
    receivers: null,
  }))
  const state = { revision: 1 }
  return {
    reads,
    state,
    revision: async () => `${state.revision}`,
    async after(id: number, limit: number) {
      reads.push(id)
      return entries.slice(id, id + limit)
    },
  }
}

const values = (frames: readonly Frame[]) => frames.map(({ text }) => JSON.parse(text ?? "").value)
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test("consecutive pages contain everything up to `through` and nothing beyond it", async () => {
  const ledger = ledgerOf(1300)
  const page = createFramePages(ledger, transactionFormats)
  const seen: number[] = []
  for (let after = 0; after < 1250; ) {
    const { frames, lastId } = await page("plain of all", after, 1250, shown)
    seen.push(...values(frames))
    after = lastId
  }

  expect(seen).toEqual(numbers(1, 1250))
})

test("a page is read once for all dashboards with the same format", async () => {
  const ledger = ledgerOf(1000)
  const page = createFramePages(ledger, transactionFormats)
  const first = await page("plain of all", 0, 1000, shown)

  expect(await page("plain of all", 0, 1000, shown)).toEqual(first)
  expect(ledger.reads).toEqual([0])
  expect(JSON.parse((await page("resumable of all", 0, 1000, shown)).frames[0]?.text ?? "")).toMatchObject({ id: 1 })
  expect(ledger.reads).toEqual([0, 0])
})

test("a page is read again after a change of names or words, and so is one that was read across the change", async () => {
  const ledger = ledgerOf(1000)
  const page = createFramePages(ledger, transactionFormats)
  const read = () => page("plain of all", 0, 1000, shown)
  await read()
  ledger.state.revision += 1
  await nextTick()
  const across = read()
  await until(() => ledger.reads.length === 2)
  ledger.state.revision += 1
  await across
  await nextTick()
  await read()
  await read()

  expect(ledger.reads).toEqual([0, 0, 0])
})

test("a page ends with the frame that fills 32 KiB; the rest of the read makes the next pages", async () => {
  const ledger = ledgerOf(500, "𝔸".repeat(100))
  const page = createFramePages(ledger, transactionFormats)
  const sizes: number[] = []
  for (let after = 0; after < 500; ) {
    const { frames, lastId } = await page("plain of all", after, 500, shown)
    const bytes = frames.map((frame) => frame.bytes)
    const sum = bytes.reduce((total, size) => total + size, 0)
    expect(sum - (bytes.at(-1) ?? 0)).toBeLessThan(32 * 1024)
    sizes.push(frames.length)
    after = lastId
  }

  expect(sizes.slice(0, -1).every((size) => size === sizes[0])).toBe(true)
  expect(sizes.reduce((total, size) => total + size)).toBe(500)
  expect(ledger.reads).toEqual([0])
})

test("16 pages are cached; the oldest is evicted first", async () => {
  const ledger = ledgerOf(16 * 500 + 1)
  const page = createFramePages(ledger, transactionFormats)
  const read = async (number: number) => page("plain of all", number * 500, 16 * 500 + 1, shown)
  for (const number of numbers(0, 16)) await read(number)

  await read(16)
  await read(1)
  expect(ledger.reads).toHaveLength(17)
  await read(0)
  expect(ledger.reads).toHaveLength(18)
})
