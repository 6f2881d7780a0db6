import { expect, test } from "bun:test"
import { type Transaction, type TransactionKind, transactionKinds } from "../../../src/domain/ledger/model.ts"
import { asSeenBy, reasonReaders } from "../../../src/domain/ledger/reason-readers.ts"
import { countedAs, isRecognition } from "../../../src/domain/recognition/recognitions.ts"

const [sender, receiver, superuser] = [1, 2, 3]
const plain: Transaction = {
  id: 7,
  kind: "transfer",
  senderId: sender,
  receiverId: receiver,
  value: 5,
  date: 0,
  group: null,
  addsTo: null,
}
const open = { ...plain, note: { reason: "Thanks", tags: ["help"], isPrivate: false } }
const secret = { ...plain, note: { reason: "Between us", tags: ["help"], isPrivate: true } }

test("only sender and receiver can read a private reason; everybody can read any other", () => {
  expect(reasonReaders(secret)).toEqual([sender, receiver])
  expect(reasonReaders(open)).toBeNull()
  expect(reasonReaders(plain)).toBeNull()
})

test("viewers who may not read a reason see everything else, and that there is a private reason", () => {
  const withoutReason = { ...plain, note: { reason: "", tags: ["help"], isPrivate: true } }
  for (const viewer of [superuser, 4, 0, null]) expect(asSeenBy(viewer, secret)).toEqual(withoutReason)
  for (const viewer of [sender, receiver]) expect(asSeenBy(viewer, secret)).toEqual(secret)
  for (const viewer of [sender, receiver, superuser, null]) {
    expect(asSeenBy(viewer, open)).toEqual(open)
    expect(asSeenBy(viewer, plain)).toEqual(plain)
  }
})

test("only a transfer to somebody else is a recognition", () => {
  expect(isRecognition(plain)).toBe(true)
  expect(isRecognition({ ...plain, receiverId: sender })).toBe(false)
  for (const kind of transactionKinds) expect(isRecognition({ ...plain, kind })).toBe(kind === "transfer")
})

test("a reversal reduces the original's points for the same people on the original's day; its count drops once no points are left", () => {
  const people = { senderId: receiver, receiverId: sender }
  const reversal = { ...plain, ...people, kind: "reversal" as const, value: 2, date: 9 }
  const counted = (originalKind: TransactionKind, originalLeft: number) =>
    countedAs({ ...reversal, originalKind, originalDate: 4, originalLeft })
  const taken = { senderId: sender, receiverId: receiver, date: 4, points: -2 }

  expect(counted("transfer", 3)).toEqual({ ...taken, count: 0 })
  expect(counted("transfer", 0)).toEqual({ ...taken, count: -1 })
  expect(counted("grant", 0)).toBeNull()
  const none = { originalKind: null, originalDate: null, originalLeft: null }
  expect(countedAs({ ...plain, ...none })).toEqual({ ...taken, date: 0, points: 5, count: 1 })
  for (const kind of ["grant", "allowance", "redemption", "refund"] as const)
    expect(countedAs({ ...plain, kind, ...none })).toBeNull()
})
