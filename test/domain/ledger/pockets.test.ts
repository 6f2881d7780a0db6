import { expect, test } from "bun:test"
import fc from "fast-check"
import { type TransactionKind, transactionKinds } from "../../../src/domain/ledger/model.ts"
import { budgetOf, movePoints, redeemableOf, type StoredPockets } from "../../../src/domain/ledger/pockets.ts"

const ana = { username: "ana" }
const admin = { username: "admin" }
const empty = (): StoredPockets => ({ balance: 0, earned: 0, earnedGiven: 0 })

/** An account of which others gave `earned`, and of which `budget` is an allowance. */
const holding = (budget: number, earned: number): StoredPockets => ({
  balance: budget + earned,
  earned,
  earnedGiven: 0,
})

/** Somebody else, who can give and take anything. */
const other = () => holding(1_000_000, 0)

function receive(account: StoredPockets, kind: TransactionKind, value: number) {
  movePoints({ kind, value, originalKind: null }, other(), account)
}

function send(account: StoredPockets, kind: TransactionKind, value: number) {
  movePoints({ kind, value, originalKind: null }, account, other())
}

const shown = (account: StoredPockets) => ({ budget: budgetOf(ana, account), earned: redeemableOf(ana, account) })

test("recognition is earned; grants and allowances are budget", () => {
  const account = empty()
  receive(account, "transfer", 130)
  receive(account, "allowance", 40)
  receive(account, "grant", 5)
  expect(shown(account)).toEqual({ budget: 45, earned: 130 })
})

test("giving uses the budget first, and then what was earned", () => {
  const account = holding(20, 130)
  send(account, "transfer", 15)
  expect(shown(account)).toEqual({ budget: 5, earned: 130 })
  send(account, "grant", 10)
  expect(shown(account)).toEqual({ budget: 0, earned: 125 })
})

test("earned points that were given stay given: the next allowance is budget, and cannot be redeemed", () => {
  const account = holding(0, 130)
  send(account, "transfer", 130)
  receive(account, "allowance", 100)
  expect(shown(account)).toEqual({ budget: 100, earned: 0 })
})

test("a redemption takes earned points and leaves the budget; its refund returns them", () => {
  const account = holding(45, 130)
  send(account, "redemption", 100)
  expect(shown(account)).toEqual({ budget: 45, earned: 30 })
  receive(account, "refund", 100)
  expect(shown(account)).toEqual({ budget: 45, earned: 130 })
})

test("when a recognition is taken back, earned points go first, then the budget", () => {
  const account = holding(45, 30)
  movePoints({ kind: "reversal", value: 50, originalKind: "transfer" }, account, other())
  expect(shown(account)).toEqual({ budget: 25, earned: 0 })
})

test("when a grant or an allowance is taken back, the budget goes first", () => {
  for (const originalKind of ["grant", "allowance"] as const) {
    const account = holding(45, 30)
    movePoints({ kind: "reversal", value: 50, originalKind }, account, other())
    expect(shown(account)).toEqual({ budget: 0, earned: 25 })
  }
})

test("when a gift is taken back, both pockets of its sender are as before it", () => {
  const account = holding(20, 130)
  send(account, "transfer", 25)
  movePoints({ kind: "reversal", value: 25, originalKind: "transfer" }, other(), account)
  expect(shown(account)).toEqual({ budget: 20, earned: 130 })
})

test("points that expire are budget", () => {
  const account = holding(45, 130)
  send(account, "expiry", 45)
  expect(shown(account)).toEqual({ budget: 0, earned: 130 })
})

test("a negative balance is paid off before anything is earned", () => {
  const account = holding(20, 10)
  send(account, "transfer", 80)
  expect([account.balance, shown(account)]).toEqual([-50, { budget: 0, earned: 0 }])
  receive(account, "transfer", 60)
  expect([account.balance, shown(account)]).toEqual([10, { budget: 0, earned: 10 }])
})

test("admin, who receives all redemptions, can redeem nothing", () => {
  const account = holding(45, 130)
  expect([budgetOf(admin, account), redeemableOf(admin, account)]).toEqual([175, 0])
})

test("whatever happens, no point appears or vanishes, and what is earned is never more than the balance", () => {
  const move = fc.record({
    kind: fc.constantFrom(...transactionKinds),
    value: fc.integer({ min: 1, max: 100 }),
    originalKind: fc.constantFrom("transfer", "grant", "allowance"),
    isSent: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const [one, two] = [empty(), empty()]
      for (const { kind, value, originalKind, isSent } of moves) {
        const [sender, receiver] = isSent ? [one, two] : [two, one]
        movePoints({ kind, value, originalKind: kind === "reversal" ? originalKind : null }, sender, receiver)
        expect(one.balance + two.balance).toBe(0)
        for (const { balance, earned, earnedGiven } of [one, two]) {
          expect(earned).toBeGreaterThanOrEqual(0)
          expect(earned).toBeLessThanOrEqual(Math.max(0, balance))
          expect(earnedGiven).toBeGreaterThanOrEqual(0)
        }
      }
    }),
  )
})
