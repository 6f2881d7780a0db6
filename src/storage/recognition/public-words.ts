import type { BestWords } from "../../domain/recognition/model.ts"
import { one, type SharedReads } from "../database.ts"
import { sql } from "../sql.ts"
import { notes, reactions, replies, transactions } from "../tables.ts"
import { isRecognition, pointsLeft } from "./recognitions.ts"

/** Transactions that one step looks at: 1 to 3 ms on SQLite. */
const transactionsAtOnce = 2000

/** An entry of the feed whose words everybody may read. */
interface Found {
  readonly entry: number
  /** Its first transfer that still has points. */
  readonly id: number
  readonly responses: number
  /** In characters. */
  readonly length: number
}

/**
 * The best words among those that everybody may read, from one transaction to another: the ids of those with the most responses,
 * then the longest, then the newest; and the id of the longest. It goes through the database step by step and holds no more than
 * `limit` of each, because a year may have too many words to hold or to read at once.
 */
export async function bestWords(reads: SharedReads, between: Between, limit: number): Promise<BestWords> {
  let warmest: readonly Found[] = []
  let longest: readonly Found[] = []
  // What has fewer responses than the last of the best need not be looked at, nor what is shorter.
  const atLeast = (found: readonly Found[], by: "responses" | "length") => found[limit - 1]?.[by] ?? 1
  const { last } = between
  const { entry } = await one(reads, entryOf(between.first))
  for (let after = entry - 1; after < last; after += transactionsAtOnce) {
    const through = Math.min(last, after + transactionsAtOnce)
    const [warm, long] = await reads.snapshot([
      warmWords({ after, through }, between, atLeast(warmest, "responses"), limit),
      longWords({ after, through }, between, atLeast(longest, "length"), limit),
    ])
    warmest = best([...warmest, ...warm], byResponses, limit)
    longest = best([...longest, ...long], byLength, limit)
  }
  const shown = best([...warmest, ...longest], byResponses, limit)
  return { warmest: shown.map(({ id }) => id), longest: longest[0]?.id ?? null }
}

const byLength = (one: Found, other: Found): number => other.length - one.length || other.entry - one.entry
const byResponses = (one: Found, other: Found): number => other.responses - one.responses || byLength(one, other)

/**
 * The same among what one person received: by transfers, because a person may have several of one entry. An index has the transfers, so two statements are enough.
 */
export async function bestWordsTo(
  reads: SharedReads,
  { receiverId, first, last }: Between & { readonly receiverId: number },
  limit: number,
): Promise<BestWords> {
  const found = sql`(SELECT ${transactions.id}, length(${notes.reason}) AS length,
      (SELECT count(*) FROM ${reactions} WHERE ${reactions.transactionId} = ${entry})
        + (SELECT count(*) FROM ${replies} WHERE ${replies.transactionId} = ${entry} AND ${isShown}) AS responses
    FROM ${transactions} CROSS JOIN ${notes}
    WHERE ${transactions.userId} = ${receiverId} AND ${transactions.id} >= ${first} AND ${transactions.id} <= ${last}
      AND ${notes.transactionId} = ${transactions.id} AND ${isOpen}) AS found`
  const [warmest, [longest]] = await reads.snapshot([
    sql<{ id: number }>`SELECT id FROM ${found} ORDER BY responses DESC, length DESC, id DESC LIMIT ${limit}`,
    sql<{ id: number }>`SELECT id FROM ${found} ORDER BY length DESC, id DESC LIMIT 1`,
  ])
  return { warmest: warmest.map(({ id }) => id), longest: longest?.id ?? null }
}

/** Transactions that count, both included. */
interface Between {
  readonly first: number
  readonly last: number
}

/** Transactions that one step looks at. */
interface Step {
  readonly after: number
  readonly through: number
}

/** Each entry once: two steps may have found transfers of one group. */
function best(found: readonly Found[], order: (one: Found, other: Found) => number, limit: number): readonly Found[] {
  return Map.groupBy(found, ({ entry }) => entry)
    .entries()
    .map(([entry, some]) => ({
      entry,
      id: Math.min(...some.map(({ id }) => id)),
      responses: Math.max(...some.map(({ responses }) => responses)),
      length: Math.max(...some.map(({ length }) => length)),
    }))
    .toArray()
    .sort(order)
    .slice(0, limit)
}

/** Of a recognition with its note: that everybody may read it, and that not all points were taken back. */
const isOpen = sql`${isRecognition} AND ${notes.isPrivate} = 0 AND ${notes.reason} <> '' AND ${pointsLeft} > 0`

/** A reply that everybody may read. */
const isShown = sql`${replies.isHidden} = 0 AND ${replies.text} IS NOT NULL`

/** The entry of the feed to which a transfer belongs. */
const entry = sql`coalesce(${transactions.groupId}, ${transactions.id})`
const entryOf = (id: number) =>
  sql<{ entry: number }>`SELECT ${entry} AS entry FROM ${transactions} WHERE ${transactions.id} = ${id}`

/** The bounds on transactions keep a merge join of PostgreSQL from reading all of them. */
const longWords = ({ after, through }: Step, { first }: Between, least: number, limit: number) =>
  sql<Found>`SELECT ${entry} AS entry, min(${transactions.id}) AS id, 0 AS responses, max(length(${notes.reason})) AS length
    FROM ${notes} CROSS JOIN ${transactions}
    WHERE ${notes.transactionId} > ${after} AND ${notes.transactionId} <= ${through}
      AND length(${notes.reason}) >= ${least} AND ${transactions.id} = ${notes.transactionId}
      AND ${transactions.id} >= ${Math.max(first, after + 1)} AND ${transactions.id} <= ${through} AND ${isOpen}
    GROUP BY ${entry} ORDER BY length DESC, entry DESC LIMIT ${limit}`

/** People respond to the first transfer of a group, which may have been taken back. */
const warmWords = ({ after, through }: Step, { first, last }: Between, least: number, limit: number) =>
  sql<Found>`
    WITH answers AS (
      SELECT ${reactions.transactionId} AS entry FROM ${reactions}
        WHERE ${reactions.transactionId} > ${after} AND ${reactions.transactionId} <= ${through}
      UNION ALL
      SELECT ${replies.transactionId} FROM ${replies}
        WHERE ${replies.transactionId} > ${after} AND ${replies.transactionId} <= ${through}
          AND ${isShown}
    ),
    warm AS (SELECT entry, count(*) AS responses FROM answers GROUP BY entry HAVING count(*) >= ${least})
    SELECT entry, min(id) AS id, max(responses) AS responses, max(length) AS length FROM (
      SELECT warm.entry, ${transactions.id} AS id, warm.responses, length(${notes.reason}) AS length
      FROM warm CROSS JOIN ${transactions} CROSS JOIN ${notes}
      WHERE ${transactions.id} = warm.entry AND ${transactions.id} > ${after} AND ${transactions.id} <= ${through}
        AND ${notes.transactionId} = ${transactions.id} AND ${isOpen}
      UNION ALL
      SELECT warm.entry, ${transactions.id}, warm.responses, length(${notes.reason})
      FROM warm CROSS JOIN ${transactions} CROSS JOIN ${notes}
      WHERE ${transactions.groupId} = warm.entry
        AND ${transactions.groupId} > ${after} AND ${transactions.groupId} <= ${through} AND ${notes.transactionId} = ${transactions.id} AND ${isOpen}
    ) AS open
    WHERE id >= ${first} AND id <= ${last}
    GROUP BY entry ORDER BY responses DESC, length DESC, entry DESC LIMIT ${limit}`
