import { expect, test } from "bun:test"
import { transactionKinds } from "../../src/domain/ledger/model.ts"
import { transactionFormats, transactionTexts } from "../../src/stream/frames.ts"

const everyone = { amounts_shown: "everyone" } as const
const concerned = { amounts_shown: "concerned" } as const

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
    group: null,
    addsTo: null,
    receivers: null,
  }
  const plain = { to: 'Ana "Nina" Souza', from: "Zoé\u2028", value: 5 }
  expect(JSON.parse(transactionTexts.plain(entry, 5))).toEqual(plain)
  expect(JSON.parse(transactionTexts.resumable(entry, 5))).toEqual({ ...plain, id: 7, date: "1970-01-01T00:00:00.000" })
})

test("if only recognitions are requested, nothing else makes a frame", () => {
  const people = { receiverId: 1, receiverName: "Ana", senderId: 2, senderName: "Bruno" }
  const entry = { id: 7, date: 0, value: 5, ...people, group: null, addsTo: null, receivers: null }
  const all = transactionFormats.get("recognition of all")
  const own = transactionFormats.get("recognition of own")
  const frame = '{"to":"Ana","from":"Bruno","value":5,"id":7,"date":"1970-01-01T00:00:00.000","receivers":["Ana"]}'

  expect(all?.({ ...entry, kind: "transfer" }, everyone)).toMatchObject({ id: 7, text: frame })
  expect(own?.({ ...entry, kind: "transfer" }, everyone)).toMatchObject({
    id: 7,
    text: null,
    forUsers: [{ text: frame }],
  })
  for (const kind of transactionKinds.filter((kind) => kind !== "transfer"))
    for (const format of [all, own])
      expect(format?.({ ...entry, kind }, everyone)).toMatchObject({ id: 7, text: null, forUsers: [] })
  expect(all?.({ ...entry, kind: "transfer", senderId: 1 }, everyone)).toMatchObject({
    id: 7,
    text: null,
    forUsers: [],
  })
})

test("a stream of recognitions shows a group once, to everybody whom it concerns; other streams show each transfer", () => {
  const entry = {
    date: 0,
    value: 5,
    senderId: 2,
    senderName: "Bruno",
    kind: "transfer" as const,
    group: 7,
    addsTo: null,
  }
  const receivers = [
    { userId: 1, name: "Ana" },
    { userId: 3, name: "Carla" },
  ]
  const first = { ...entry, id: 7, receiverId: 1, receiverName: "Ana", receivers }
  const second = { ...entry, id: 8, receiverId: 3, receiverName: "Carla", receivers: null }
  const frame =
    '{"to":"Ana","from":"Bruno","value":5,"id":7,"date":"1970-01-01T00:00:00.000","receivers":["Ana","Carla"]}'

  expect(transactionFormats.get("recognition of all")?.(first, everyone)).toMatchObject({ text: frame })
  expect(transactionFormats.get("recognition of own")?.(first, everyone)).toMatchObject({
    text: null,
    forUsers: [{ userIds: [2, 1, 3], text: frame }],
  })
  for (const format of ["recognition of all", "recognition of own"])
    expect(transactionFormats.get(format)?.(second, everyone)).toMatchObject({ id: 8, text: null, forUsers: [] })
  expect(transactionFormats.get("plain of all")?.(second, everyone)).toMatchObject({
    text: '{"to":"Carla","from":"Bruno","value":5}',
  })
  expect(transactionFormats.get("plain of own")?.(second, everyone)).toMatchObject({ forUsers: [{ userIds: [2, 3] }] })
})

test("members and strangers get a frame without the points that the programme hides from them", () => {
  const people = { receiverId: 1, receiverName: "Ana", senderId: 2, senderName: "Bruno" }
  const entry = {
    id: 7,
    date: 0,
    value: 5,
    kind: "transfer" as const,
    ...people,
    group: null,
    addsTo: null,
    receivers: null,
  }
  const whole = '{"to":"Ana","from":"Bruno","value":5}'
  const members = transactionFormats.get("plain of members")

  expect(members?.(entry, everyone)).toMatchObject({ text: whole, forUsers: [] })
  expect(members?.(entry, concerned)).toMatchObject({
    text: '{"to":"Ana","from":"Bruno","value":null}',
    forUsers: [{ userIds: [2, 1], text: whole }],
  })
  expect(transactionFormats.get("plain of all")?.(entry, concerned)).toMatchObject({ text: whole, forUsers: [] })
})
