import { expect, test } from "bun:test"
import fc from "fast-check"
import { transactionKinds } from "../../src/domain/model.ts"
import { isoDate, transactionFormats, transactionTexts } from "../../src/stream/frames.ts"

test("a date is UTC, with milliseconds and without a zone", () => {
  expect(isoDate(Date.UTC(2026, 10, 21, 12, 0, 0, 123))).toBe("2026-11-21T12:00:00.123")
  expect(isoDate(Date.UTC(2028, 1, 29, 23, 59, 59, 999))).toBe("2028-02-29T23:59:59.999")
  expect(isoDate(0)).toBe("1970-01-01T00:00:00.000")
})

test("every date equals JavaScript's toISOString, whichever date came before", () => {
  const dates = fc.date({ min: new Date("1900-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  fc.assert(
    fc.property(dates, fc.integer({ min: -90_000_000, max: 90_000_000 }), (date, distance) => {
      for (const ms of [date.getTime(), date.getTime() + distance])
        expect(isoDate(ms)).toBe(new Date(ms).toISOString().slice(0, -1))
    }),
  )
})

test("a frame has exactly the contract's fields, and also id and date where it can be resumed", () => {
  const entry = {
    id: 7,
    kind: "transfer" as const,
    date: 0,
    value: 5,
    receiverId: 1,
    receiverName: 'Ana "Nina" Souza',
    senderId: 2,
    senderName: "Zoé\u2028",
  }
  const plain = { to: 'Ana "Nina" Souza', from: "Zoé\u2028", value: 5 }
  expect(JSON.parse(transactionTexts.plain(entry))).toEqual(plain)
  expect(JSON.parse(transactionTexts.resumable(entry))).toEqual({ ...plain, id: 7, date: "1970-01-01T00:00:00.000" })
})

test("where only recognitions are asked for, everything else leaves no frame", () => {
  const entry = { id: 7, date: 0, value: 5, receiverId: 1, receiverName: "Ana", senderId: 2, senderName: "Bruno" }
  const all = transactionFormats.get("recognition")
  const own = transactionFormats.get("recognition of own")
  const frame = '{"to":"Ana","from":"Bruno","value":5,"id":7,"date":"1970-01-01T00:00:00.000"}'

  expect(all?.({ ...entry, kind: "transfer" })).toMatchObject({ id: 7, text: frame })
  expect(own?.({ ...entry, kind: "transfer" })).toMatchObject({ id: 7, text: null, forUsers: { text: frame } })
  for (const kind of transactionKinds.filter((kind) => kind !== "transfer"))
    for (const format of [all, own])
      expect(format?.({ ...entry, kind })).toMatchObject({ id: 7, text: null, forUsers: null })
  expect(all?.({ ...entry, kind: "transfer", senderId: 1 })).toMatchObject({ id: 7, text: null, forUsers: null })
})
