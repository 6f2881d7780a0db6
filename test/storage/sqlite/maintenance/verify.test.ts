import type { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { createCalendar } from "../../../../src/domain/calendar.ts"
import { createLeaderboardSnapshots } from "../../../../src/domain/recognition/leaderboards.ts"
import { verify, verifyFile } from "../../../../src/storage/sqlite/maintenance/verify.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import type { Anchor } from "../../../../src/storage/verify/anchor.ts"
import { allow, threePeople } from "../../contract/people.ts"
import { plainly, silent, type TestFolder, tamper, testFolder } from "../../files.ts"
import { becomeLaterVersion } from "../../later-version.ts"
import { broken, ledgerDamage, otherNote, writeLedger } from "../../ledger-damage.ts"
import { redemptionDamage, writeRedemptions } from "../../redemption-damage.ts"

/** A database with the ledger that `writeLedger` writes. Nobody has it open. */
async function writtenDatabase(folder: TestFolder): Promise<string> {
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  await writeLedger(store)
  await store.close()
  return path
}

async function findingsIn(path: string): Promise<string[]> {
  const { findings } = await verifyFile({ path, accepts: false })
  return findings.map(({ check, fault }) => `${check}: ${fault}`)
}

test("a database that the store wrote has no findings", async () => {
  await using folder = await testFolder()

  expect(await verifyFile({ path: await writtenDatabase(folder), accepts: false })).toEqual({
    transactions: 6,
    findings: [],
  })
})

describe("verify finds, among redemptions,", () => {
  for (const [what, sql, findings] of redemptionDamage)
    test(what, async () => {
      await using folder = await testFolder()
      const path = folder.file("rewards.db")
      const store = await openStore({ path, log: silent })
      await writeRedemptions(store)
      await store.close()
      expect(await findingsIn(path)).toEqual([])

      tamper(path, sql)

      expect(await findingsIn(path)).toEqual([...findings])
    })
})

test("verify finds snapshots whose totals differ from the transactions; a snapshot of only some transactions is correct", async () => {
  await using folder = await testFolder()
  const path = await writtenDatabase(folder)
  const store = await openStore({ path, log: silent })
  const between = { senderId: 1, receiverId: 2, value: 2, date: 1_500 }
  await store.ledger.post({ kind: "grant", ...between }, allow)
  await store.ledger.post({ kind: "reversal", reverses: 1, ...between, senderId: 2, receiverId: 1 }, allow)
  await createLeaderboardSnapshots({
    store,
    calendar: createCalendar("UTC"),
    clock: () => 2_000,
    saveEvery: 1,
  }).refresh()
  const { id } = (await store.users.byUsername("bruno")) ?? { id: 0 }
  await store.ledger.post({ kind: "transfer", senderId: id, receiverId: id, value: 1, date: 1_000 }, allow)
  await store.close()
  expect(await findingsIn(path)).toEqual([])

  tamper(
    path,
    "UPDATE leaderboard_snapshots SET totals = (SELECT totals FROM leaderboard_snapshots WHERE period = 'all') WHERE period = 'days'",
  )
  tamper(path, "UPDATE leaderboard_snapshots SET totals = substr(totals, 1, 9) WHERE period = 'week'")

  expect((await findingsIn(path)).toSorted()).toEqual([
    "leaderboard snapshots: the totals of days are not those of the transactions",
    "leaderboard snapshots: the totals of week are not those of the transactions",
  ])
})

describe("verify finds", () => {
  for (const [what, sql, findings] of [
    ...ledgerDamage,
    [
      "a receiver who was changed",
      "UPDATE transactions SET user_id = 1 WHERE id = 6",
      [
        `chain: transaction 6: ${broken}`,
        "balances: the balance of ana is -20 instead of -18",
        "balances: the balance of bruno is 17 instead of 15",
        "counts: the count of what ana received is 0 instead of 1",
        "counts: the count of what bruno sent is 1 instead of 2",
        "counts: the count of what bruno sent to the own account is 1 instead of 0",
        "pairs: the count of what user 2 sent to user 1 is 0 instead of 1",
        "pairs: the count of what user 2 sent to user 2 is 1 instead of 0",
      ],
    ],
    [
      "a hash that was changed",
      "UPDATE transactions SET hash = zeroblob(32) WHERE id = 3",
      [`chain: transaction 3: ${broken}`, `chain: transaction 4: ${broken}`],
    ],
    ["a private reason that was made public", "UPDATE notes SET private = 0", [`notes: transaction 5: ${otherNote}`]],
    ["a salt that was changed", "UPDATE notes SET salt = zeroblob(16)", [`notes: transaction 5: ${otherNote}`]],
    [
      "a note that was taken out with its commitment",
      "DELETE FROM notes; UPDATE transactions SET commitment = NULL",
      [`chain: transaction 5: ${broken}`],
    ],
    [
      "the erasure of a note that never was",
      "INSERT INTO erasures VALUES (4, 1)",
      ["notes: transaction 4: a note is said to be erased that never was"],
    ],
    [
      "a kind that was changed",
      "UPDATE transactions SET kind = 'grant' WHERE id = 5",
      [`chain: transaction 5: ${broken}`, "balances: of the balance of carla, 3 are stored as earned instead of 0"],
    ],
    [
      "a note that was put to another transaction",
      "UPDATE notes SET transaction_id = 4",
      [`notes: transaction 4: ${otherNote}`, "notes: transaction 5: its note is missing"],
    ],
    [
      "a note to no transaction",
      "PRAGMA foreign_keys = OFF; INSERT INTO notes VALUES (9, zeroblob(16), 'Thanks', '', 0)",
      ["foreign keys: row 9 of notes names a row of transactions that does not exist"],
    ],
    [
      "a transaction that was taken out",
      "PRAGMA foreign_keys = OFF; DELETE FROM notes; DELETE FROM transactions WHERE id = 5",
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
        "watermark: transaction 6 is not the one that was recorded",
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
      "pairs that were changed, taken out and added",
      `UPDATE pairs SET count = 9 WHERE from_id = 1 AND user_id = 2; DELETE FROM pairs WHERE user_id = 3;
       INSERT INTO pairs VALUES (3, 1, 2)`,
      [
        "pairs: the count of what user 1 sent to user 2 is 9 instead of 4",
        "pairs: the count of what user 2 sent to user 3 is 0 instead of 1",
        "pairs: the count of what user 3 sent to user 1 is 2 instead of 0",
      ],
    ],
    [
      "a balance that was taken out",
      "DELETE FROM balances WHERE user_id = 3",
      [
        "balances: the balance of carla is 0 instead of 3",
        "balances: all balances add up to -3 instead of 0",
        "counts: the count of what carla received is 0 instead of 1",
      ],
    ],
    [
      "a state of the ledger that is gone",
      "DELETE FROM ledger_state",
      [
        "counters: the state of the ledger is missing",
        "watermark: transactions 1 to 6, which were recorded, are missing",
      ],
    ],
    [
      "a row that names nobody",
      "PRAGMA foreign_keys = OFF; INSERT INTO balances (user_id, value, received_count, sent_count) VALUES (9, 0, 0, 0)",
      ["foreign keys: row 9 of balances names a row of users that does not exist"],
    ],
    [
      "a row without a number that names nothing",
      "PRAGMA foreign_keys = OFF; INSERT INTO allowance_members VALUES (9, 1)",
      ["foreign keys: a row of allowance_members names a row of allowances that does not exist"],
    ],
    [
      "allowances that cannot be paid",
      `INSERT INTO allowances (id, name, value, mode, catch_up, active, due_from, period, due_day, due_time, audience) VALUES
         (1, 'One', 1, 'add', 'none', 1, 0, 'month', '1', '09.00', '{"everyone":true}'),
         (2, 'Two', 1, 'add', 'none', 1, 0, 'week', '8', '09:00', '{"dept":5}'),
         (3, 'Three', 1, 'add', 'none', 1, 0, 'day', NULL, '09:00', '{"everyone":true}');
       INSERT INTO allowance_runs (id, allowance_id, period, first_day, begun_at, value, mode, audience)
         VALUES (1, 3, 'day', '2026-01-01', 0, 1, 'add', '{"userIds":["x"]}')`,
      [
        "file: CHECK constraint failed in allowances",
        "file: CHECK constraint failed in allowances",
        "allowances: allowance 1 has a due time that is none",
        "allowances: allowance 2 has a due day that no week has",
        "allowances: allowance 2 has an audience that is none",
        "allowances: run 1 of an allowance has an audience that is none",
      ],
    ],
    ["a table that does not belong here", "CREATE TABLE scraps (text)", ["schema: table scraps does not belong here"]],
  ] as const)
    test(what, async () => {
      await using folder = await testFolder()
      const path = await writtenDatabase(folder)

      tamper(path, sql)

      expect(await findingsIn(path)).toEqual([...findings])
    })

  test("a trigger that no longer protects the ledger", async () => {
    await using folder = await testFolder()
    const path = await writtenDatabase(folder)
    {
      using client = plainly(path)
      client.run("DROP TRIGGER transactions_are_never_deleted")
      client.run("CREATE TRIGGER transactions_are_never_deleted BEFORE DELETE ON transactions BEGIN SELECT 1; END")
    }

    expect(await findingsIn(path)).toEqual([
      "schema: trigger transactions_are_never_deleted is not as this version makes it",
    ])
  })

  test("a table that cannot be read, and faults in other tables too", async () => {
    await using folder = await testFolder()
    const path = await writtenDatabase(folder)
    tamper(path, "UPDATE balances SET value = 1000 WHERE user_id = 3")
    overwriteTable(path, "jobs")

    const findings = await findingsIn(path)

    expect(findings.filter((finding) => finding.startsWith("file: "))).not.toEqual([])
    expect(findings).toContain("balances: the balance of carla is 1000 instead of 3")
  })

  test("a ledger that cannot be read, without aborting the checks", async () => {
    await using folder = await testFolder()
    const path = await writtenDatabase(folder)
    overwriteTable(path, "transactions")

    expect((await findingsIn(path)).join("\n")).toMatch(/^file: it cannot be read: .*malformed/m)
  })
})

/** Spoils the first page of a table. */
function overwriteTable(path: string, table: string) {
  const bytes = readFileSync(path)
  using client = plainly(path)
  const { rootpage = 0 } =
    client.query<{ rootpage: number }, [string]>("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table) ?? {}
  bytes.fill(0xa5, (rootpage - 1) * 4096, rootpage * 4096)
  client.close()
  writeFileSync(path, bytes)
}

test("a fault that makes every later row look wrong is listed a hundred times and then counted", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  const { ana, bruno } = await threePeople(store)
  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 }
  await Promise.all(Array.from({ length: 300 }, () => store.ledger.post(entry, allow)))
  await store.close()

  tamper(path, "UPDATE transactions SET hash = zeroblob(32)")

  const chain = (await findingsIn(path)).filter((finding) => finding.startsWith("chain: "))
  expect([chain.length, chain.at(-1)]).toEqual([101, "chain: there are 201 more of these"])
})

test("each check reads one snapshot and blocks no writer", async () => {
  await using folder = await testFolder()
  const path = await writtenDatabase(folder)
  tamper(path, "UPDATE transactions SET date = 999 WHERE id = 3")
  const store = await openStore({ path, log: silent })
  using client = plainly(path)
  const checks = []

  for await (const { check } of verify(client, null)) {
    checks.push(check) // in the middle of the ledger
    await store.ledger.post({ kind: "transfer", senderId: 1, receiverId: 2, value: 1, date: 2_000 }, allow)
  }

  await store.close()
  expect(checks).toEqual(["order", "chain"])
})

test("beside a server that writes, the count and the newest transaction are of the same moment", async () => {
  await using folder = await testFolder()
  const path = await writtenDatabase(folder)
  using writer = plainly(path)
  const seen: number[] = []
  const onNewest = ({ id }: Anchor) => {
    seen.push(id)
    writer.run(
      `INSERT INTO transactions (id, user_id, from_id, value, date, kind, hash)
       VALUES (7, 1, 2, 1, 9000, 'transfer', zeroblob(32))`,
    )
  }

  const report = await verifyFile({ path, accepts: false, anchoring: { against: null, onNewest } })

  expect({ seen, ...report }).toEqual({ seen: [6], transactions: 6, findings: [] })
  expect((await verifyFile({ path, accepts: false })).transactions).toBe(7)
})

test("for a database that lacks migrations, only the file and its references are checked", async () => {
  await using folder = await testFolder()
  using client = plainly(await writtenDatabase(folder))
  using _ = becomeLaterVersion()
  expect(await Array.fromAsync(verify(client, null))).toEqual([])

  client.run("PRAGMA foreign_keys = OFF; UPDATE balances SET user_id = 99 WHERE user_id = 2")
  expect(await Array.fromAsync(verify(client, null))).toEqual([
    { check: "foreign keys", fault: "row 99 of balances names a row of users that does not exist" },
  ])
})

test("a database of a newer version or another program is refused", async () => {
  await using folder = await testFolder()
  const path = await writtenDatabase(folder)
  copyFileSync(path, folder.file("other.db"))
  const change = (file: string, act: (client: Database) => void) => {
    using client = plainly(file)
    act(client)
  }
  change(path, (client) => client.run("INSERT INTO migrations VALUES ('9999_of_tomorrow', 'hash', 1)"))
  change(folder.file("other.db"), (client) => client.run("PRAGMA application_id = 5"))

  await expect(findingsIn(path)).rejects.toThrow("it was written by a newer version of rewards")
  await expect(findingsIn(folder.file("other.db"))).rejects.toThrow("it belongs to another program")
  await expect(findingsIn(folder.file("none.db"))).rejects.toThrow("there is no such file")
})
