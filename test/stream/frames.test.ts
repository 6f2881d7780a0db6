import { expect, test } from "bun:test"
import { transactionKinds } from "../../src/domain/model.ts"
import { transactionFormats, transactionTexts } from "../../src/stream/frames.ts"

test("a frame has exactly the contract's fields, plus id and date on a stream that can be resumed", () => {
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

test("if only recognitions are requested, nothing else makes a frame", () => {
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
