import { describe, expect, test } from "bun:test"
import { createCalendar } from "../../../../src/domain/calendar.ts"
import { createLeaderboardSnapshots } from "../../../../src/domain/recognition/leaderboards.ts"
import { maintenanceOf } from "../../../../src/storage/postgres/maintenance/maintenance.ts"
import { migratedDatabase, testDatabase } from "../../../support/postgres.ts"
import { allow, refusalOf } from "../../contract/people.ts"
import { broken, ledgerDamage, writeLedger } from "../../ledger-damage.ts"
import { redemptionDamage, writeRedemptions } from "../../redemption-damage.ts"
import { storeAt, tamper, urlOf } from "./support.ts"

const verified = (url: string) => maintenanceOf(urlOf(url)).verify({ accepts: false })

const findingsIn = async (url: string) => (await verified(url)).findings.map(({ check, fault }) => `${check}: ${fault}`)

/** A database with the ledger that `writeLedger` writes, which no process has open. */
async function writtenDatabase() {
  const database = await testDatabase()
  const store = await storeAt(database.url)
  await writeLedger(store)
  await store.close()
  return database
}

test("a database that the store wrote has no findings; one without tables is refused", async () => {
  await using empty = await testDatabase()
  await using database = await writtenDatabase()

  expect(await refusalOf(verified(empty.url))).toMatchObject({ message: "there is nothing in it yet" })
  expect(await verified(database.url)).toEqual({ transactions: 6, findings: [] })
})

describe("verify finds", () => {
  for (const [what, sql, findings] of [
    ...ledgerDamage,
    [
      "a hash that was changed",
      "UPDATE transactions SET hash = decode(repeat('00', 32), 'hex') WHERE id = 3",
      [`chain: transaction 3: ${broken}`, `chain: transaction 4: ${broken}`],
    ],
    [
      "a note to no transaction",
      "INSERT INTO notes VALUES (9, decode(repeat('00', 16), 'hex'), 'Thanks', '', 0)",
      ["foreign keys: transaction_id 9 in notes names a row of transactions that does not exist"],
    ],
    [
      "a reversal of more than there was",
      "UPDATE transactions SET kind = 'reversal', reverses = 5, user_id = 2, from_id = 3, value = 4 WHERE id = 6",
      [
        `chain: transaction 6: ${broken}`,
        "reversals: transaction 6: more than transaction 5 moved was reversed",
        "balances: the balance of bruno is 17 instead of 21",
        "balances: the balance of carla is 3 instead of -1",
        "counts: the count of what bruno received is 4 instead of 5",
        "counts: the count of what bruno sent to the own account is 1 instead of 0",
        "counts: the count of what carla sent is 0 instead of 1",
        "pairs: the count of what user 2 sent to user 2 is 1 instead of 0",
        "pairs: the count of what user 3 sent to user 2 is 0 instead of 1",
      ],
    ],
    [
      "a transaction that was taken out",
      "DELETE FROM notes; DELETE FROM transactions WHERE id = 5",
      [
        "order: transaction 6: transaction 5 before it is missing",
        `chain: transaction 6: ${broken}`,
        "balances: the balance of bruno is 17 instead of 20",
        "balances: the balance of carla is 3 instead of 0",
        "counts: the count of what bruno sent is 1 instead of 0",
        "counts: the count of what carla received is 1 instead of 0",
        "counters: the count of transactions is 6 instead of 5",
        "pairs: the count of what user 2 sent to user 3 is 1 instead of 0",
      ],
    ],
    [
      "an end that was cut off",
      "DELETE FROM transactions WHERE id = 6",
      [
        "counts: the count of what bruno sent to the own account is 1 instead of 0",
        "chain: the hash of the last transaction is not the one that is stored as last",
        "counters: the count of transactions is 6 instead of 5",
        "counters: the last transaction is stored as 6 instead of 5",
        "pairs: the count of what user 2 sent to user 2 is 1 instead of 0",
      ],
    ],
    [
      "counts that were changed",
      "UPDATE balances SET received_count = 3, sent_count = 3, self_count = 3 WHERE user_id = 2",
      [
        "counts: the count of what bruno received is 3 instead of 4",
        "counts: the count of what bruno sent is 3 instead of 1",
        "counts: the count of what bruno sent to the own account is 3 instead of 1",
      ],
    ],
    [
      "a count of a pair that was changed",
      "UPDATE pairs SET count = 9 WHERE from_id = 1",
      ["pairs: the count of what user 1 sent to user 2 is 9 instead of 4"],
    ],
    [
      "a state of the ledger that is gone",
      "DELETE FROM ledger_state",
      ["counters: the state of the ledger is missing"],
    ],
    [
      "a transaction of nobody",
      "DELETE FROM people_changes; DELETE FROM confusables; DELETE FROM balances WHERE user_id = 3; DELETE FROM users WHERE id = 3",
      [
        "foreign keys: user_id 3 in transactions names a row of users that does not exist",
        "balances: all balances add up to -3 instead of 0",
      ],
    ],
    [
      "a table that is gone",
      "DROP TABLE spent_tokens",
      ["schema: table spent_tokens is missing", "schema: index spent_tokens_by_expiry is missing"],
    ],
    [
      "a trigger that is switched off",
      "ALTER TABLE transactions DISABLE TRIGGER transactions_are_never_deleted",
      ["schema: trigger transactions_are_never_deleted is not as this version makes it"],
    ],
    [
      "a trigger that no longer protects the ledger",
      "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
      ["schema: function refuse is not as this version makes it"],
    ],
  ] as const)
    test(what, async () => {
      await using database = await writtenDatabase()

      await tamper(database.url, sql)

      expect(await findingsIn(database.url)).toEqual([...findings])
    })
})

describe("verify finds, among redemptions,", () => {
  for (const [what, sql, findings] of redemptionDamage)
    test(what, async () => {
      await using database = await migratedDatabase()
      const store = await storeAt(database.url)
      await writeRedemptions(store)
      await store.close()
      expect(await findingsIn(database.url)).toEqual([])

      await tamper(database.url, sql)

      expect(await findingsIn(database.url)).toEqual([...findings])
    })
})

test("verify finds snapshots whose totals differ from the transactions; a snapshot of only some transactions is correct", async () => {
  await using database = await testDatabase()
  const store = await storeAt(database.url)
  const { ana, bruno } = await writeLedger(store)
  const between = { senderId: ana.id, receiverId: bruno.id, value: 2, date: 1_500 }
  await store.ledger.post({ kind: "grant", ...between }, allow)
  await store.ledger.post({ kind: "reversal", reverses: 1, ...between, senderId: bruno.id, receiverId: ana.id }, allow)
  await createLeaderboardSnapshots({
    store,
    calendar: createCalendar("UTC"),
    clock: () => 2_000,
    saveEvery: 1,
  }).refresh()
  await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 1_500 }, allow)
  await store.close()
  expect(await findingsIn(database.url)).toEqual([])

  await tamper(
    database.url,
    `UPDATE leaderboard_snapshots SET totals = (SELECT totals FROM leaderboard_snapshots WHERE period = 'all')
     WHERE period = 'days';
     UPDATE leaderboard_snapshots SET totals = substr(totals, 1, 9) WHERE period = 'week'`,
  )

  expect(await findingsIn(database.url)).toEqual([
    "leaderboard snapshots: the totals of days are not those of the transactions",
    "leaderboard snapshots: the totals of week are not those of the transactions",
  ])
})

test("a fault that makes every later row look wrong is listed a hundred times and then counted", async () => {
  await using database = await testDatabase()
  const store = await storeAt(database.url)
  const { ana, bruno } = await writeLedger(store)
  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1, date: 1_000 }
  await Promise.all(Array.from({ length: 300 }, () => store.ledger.post(entry, allow)))
  await store.close()

  await tamper(database.url, "UPDATE transactions SET hash = decode(repeat('00', 32), 'hex')")

  const chain = (await findingsIn(database.url)).filter((finding) => finding.startsWith("chain: "))
  expect([chain.length, chain.at(-1)]).toEqual([101, "chain: there are 207 more of these"])
})

test("verify reads one moment of an open database while others write", async () => {
  await using database = await testDatabase()
  const store = await storeAt(database.url)
  const { ana, bruno } = await writeLedger(store)
  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1, date: 1_000 }
  const verification = verified(database.url)
  for (let count = 0; count < 50; count += 1) await store.ledger.post(entry, allow)

  expect((await verification).findings).toEqual([])
  await store.close()
  expect(await verified(database.url)).toEqual({ transactions: 56, findings: [] })
})

test("a database of another program is refused, and has no watermark to accept", async () => {
  await using database = await testDatabase()
  await tamper(database.url, "CREATE TABLE theirs (id integer)")

  expect(String(await refusalOf(verified(database.url)))).toContain("holds tables of another program")
  const accepting = maintenanceOf(urlOf(database.url)).verify({ accepts: true })
  expect(String(await refusalOf(accepting))).toContain("verify without --accept")
})
