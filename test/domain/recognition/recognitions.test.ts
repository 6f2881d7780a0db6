import { expect, test } from "bun:test"
import type { Transaction } from "../../../src/domain/model.ts"
import { asSeenBy, isRecognition, reasonReaders } from "../../../src/domain/recognition/recognitions.ts"

const [sender, receiver, superuser] = [1, 2, 3]
const plain: Transaction = { id: 7, kind: "transfer", senderId: sender, receiverId: receiver, value: 5, date: 0 }
const open = { ...plain, note: { reason: "Thanks", tags: ["help"], isPrivate: false } }
const secret = { ...plain, note: { reason: "Between us", tags: ["help"], isPrivate: true } }

test("a private reason is read by sender and receiver alone, any other by everybody", () => {
  expect(reasonReaders(secret)).toEqual([sender, receiver])
  expect(reasonReaders(open)).toBeNull()
  expect(reasonReaders(plain)).toBeNull()
})

test("viewers who may not read a reason see everything else, and that there is a private one", () => {
  const withoutReason = { ...plain, note: { reason: "", tags: ["help"], isPrivate: true } }
  for (const viewer of [superuser, 4, 0, null]) expect(asSeenBy(viewer, secret)).toEqual(withoutReason)
  for (const viewer of [sender, receiver]) expect(asSeenBy(viewer, secret)).toEqual(secret)
  for (const viewer of [sender, receiver, superuser, null]) {
    expect(asSeenBy(viewer, open)).toEqual(open)
    expect(asSeenBy(viewer, plain)).toEqual(plain)
  }
})

test("what people send to themselves is no recognition", () => {
  expect(isRecognition(plain)).toBe(true)
  expect(isRecognition({ senderId: sender, receiverId: sender })).toBe(false)
})
