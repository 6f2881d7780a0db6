import type { Note } from "../../src/domain/ledger/model.ts"
import type { Store } from "../../src/domain/store.ts"
import { allow, threePeople } from "./contract/people.ts"

const thanks: Note = { reason: "Thanks", tags: ["help"], isPrivate: true }

/** Writes a ledger: Ana sent Bruno 5 points four times; Bruno sent Carla 3, with a reason, and himself 2. */
export async function writeLedger(store: Pick<Store, "users" | "ledger">) {
  const { ana, bruno, carla } = await threePeople(store)
  const post = (senderId: number, receiverId: number, value: number) =>
    store.ledger.post(
      { kind: "transfer", senderId, receiverId, value, date: 1_000, note: value === 3 ? thanks : undefined },
      allow,
    )
  for (let count = 0; count < 4; count += 1) await post(ana.id, bruno.id, 5)
  await post(bruno.id, carla.id, 3)
  await post(bruno.id, bruno.id, 2)
  return { ana, bruno, carla }
}

export const otherNote = "its note is not the one that it was sent with"
export const broken = "its hash does not follow from its fields and the hash before it"

/** Damages of that ledger, in SQL that every store understands, with the findings for each. */
export const ledgerDamage = [
  [
    "a value that was changed",
    "UPDATE transactions SET value = 7 WHERE id = 4",
    [
      `chain: transaction 4: ${broken}`,
      "balances: the balance of ana is -20 instead of -22",
      "balances: the balance of bruno is 17 instead of 19",
    ],
  ],
  [
    "a date that was changed",
    "UPDATE transactions SET date = 999 WHERE id = 3",
    ["order: transaction 3: its date is before the date of the one before it", `chain: transaction 3: ${broken}`],
  ],
  ["a reason that was changed", "UPDATE notes SET reason = 'No thanks'", [`notes: transaction 5: ${otherNote}`]],
  ["a note that was taken out", "DELETE FROM notes", ["notes: transaction 5: its note is missing"]],
  [
    "an erased note that is still there",
    "INSERT INTO erasures VALUES (5, 1)",
    ["notes: transaction 5: its note was erased, but is there"],
  ],
  [
    "a transfer that was made the reversal of another one",
    "UPDATE transactions SET kind = 'reversal', reverses = 1 WHERE id = 6",
    [
      `chain: transaction 6: ${broken}`,
      "reversals: transaction 6: it reverses transaction 1, which is between other people",
    ],
  ],
  [
    "a transfer that was put into a group",
    "UPDATE transactions SET group_id = 1 WHERE id = 3",
    [`chain: transaction 3: ${broken}`, "groups: transaction 3: it is in group 1, but not next to its transfers"],
  ],
  [
    "transfers to one person that were made a group",
    "UPDATE transactions SET group_id = 1 WHERE id <= 2",
    [
      `chain: transaction 1: ${broken}`,
      `chain: transaction 2: ${broken}`,
      "groups: transaction 2: group 1 thanks user 2 twice",
    ],
  ],
  [
    "a transfer that was made points added to one that thanks somebody else",
    "UPDATE transactions SET adds_to = 1 WHERE id = 5",
    [
      `chain: transaction 5: ${broken}`,
      "additions: transaction 5: it adds to transaction 1, which does not thank user 3",
    ],
  ],
  [
    "a transfer that was made points added to points",
    "UPDATE transactions SET adds_to = id - 1 WHERE id IN (2, 3)",
    [
      `chain: transaction 2: ${broken}`,
      `chain: transaction 3: ${broken}`,
      "additions: transaction 3: it adds to transaction 2, which is no entry of the feed",
    ],
  ],
  [
    "a username and an address that were changed without their keys",
    "UPDATE users SET username = 'Zoë', email = 'zoe@example.com' WHERE id = 3",
    [
      "users: user 3: its username_key is not that of its username",
      "users: user 3: its email_key is not that of its email",
    ],
  ],
  [
    "managers in a circle, and one who does not exist",
    "UPDATE users SET manager_id = CASE id WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE 99 END",
    [
      "users: user 1: it reports to itself through its managers",
      "users: user 2: it reports to itself through its managers",
      "users: user 3: its manager is no active user",
    ],
  ],
  [
    "a balance that was changed",
    "UPDATE balances SET value = 1000 WHERE user_id = 3",
    ["balances: the balance of carla is 1000 instead of 3", "balances: all balances add up to 997 instead of 0"],
  ],
  [
    "a pocket that was changed",
    "UPDATE balances SET earned = 2, earned_given = 9 WHERE user_id = 3",
    ["balances: of the balance of carla, 2 are stored as earned instead of 3"],
  ],
  [
    "a state of the ledger that is wrong",
    "UPDATE ledger_state SET transaction_count = 7, last_id = 7, last_date = 5",
    [
      "counters: the count of transactions is 7 instead of 6",
      "counters: the last transaction is stored as 7 instead of 6",
      "counters: the last date is stored as 5 instead of 1000",
    ],
  ],
  [
    "an idempotency key without its transactions",
    "INSERT INTO idempotency_keys VALUES (2, 'key', 'hash', 6, 2, 0, NULL, 1)",
    ["idempotency keys: a key of user 2 names transactions 6 to 7, which do not all exist"],
  ],
  [
    "references to what does not exist, and to what somebody else sent",
    "INSERT INTO transaction_references VALUES (2, 'a', 'hash', 6, 2, 0), (3, 'b', 'hash', 5, 1, 0)",
    [
      "references: a reference of user 2 names transactions 6 to 7, which this user did not all send",
      "references: a reference of user 3 names transactions 5 to 5, which this user did not all send",
    ],
  ],
  ["an index that is gone", "DROP INDEX sessions_by_expiry", ["schema: index sessions_by_expiry is missing"]],
] as const
