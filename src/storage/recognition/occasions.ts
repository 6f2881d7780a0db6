import type { Day } from "../../domain/calendar.ts"
import type { CelebratedDay, DayOfSomebody } from "../../domain/occasions/model.ts"
import { textOf } from "../../domain/occasions/occasions.ts"
import type { OccasionQuery, OccasionStore } from "../../domain/occasions/ports.ts"
import { adminUsername } from "../../domain/people/users.ts"
import type { OccasionKind } from "../../domain/programme/model.ts"
import type { Added, FollowedTransaction, Recognition, RecognitionQuery } from "../../domain/recognition/model.ts"
import type { RecognitionStore } from "../../domain/recognition/ports.ts"
import { isOccasionId, positionOf, transactionIdUpTo } from "../../domain/recognition/positions.ts"
import { type Database, one, type Reads, single } from "../database.ts"
import { fields, list, type RowOf, records, type SQL, select, sql } from "../sql.ts"
import { ledgerState, occasions, transactions, users } from "../tables.ts"
import { addedIn, additionsTo } from "./recognitions.ts"

/** Entries of the feed that are transactions. */
export interface LedgerEntries extends Pick<RecognitionStore, "newest"> {
  /** As `RecognitionStore.find`. For points of an occasion, and for points that were added to one, their own transaction. */
  find(transactionId: number): Promise<Recognition | null>
  /** Transactions of every kind after one id and through another, as `RecognitionStore.after`. */
  between(after: number, through: number, limit: number): Promise<FollowedTransaction[]>
}

/** Occasions that are read at once to find those whose words match. */
const searchedAtOnce = 200

/**
 * The entries of the feed: those of the ledger, which each database reads in its own way, and in their places those of
 * occasions.
 */
export function withOccasions(db: Database, ledger: LedgerEntries): RecognitionStore {
  return {
    async newest(query) {
      const { before, limit, through = await lastPosition() } = query
      const end = Math.min(before === undefined ? Number.MAX_SAFE_INTEGER : positionOf(before), through + 1)
      const isOwnBound = before !== undefined && end === positionOf(before) && !isOccasionId(before)
      const [recognitions, celebrated] = await Promise.all([
        ledger.newest(isOwnBound ? query : { ...query, before: transactionIdUpTo(end - 1) + 1 }),
        newestOf(db.until(query.signal), query, end),
      ])
      return [...recognitions, ...celebrated].sort(byPosition).reverse().slice(0, limit)
    },

    async find(id) {
      if (isOccasionId(id)) return occasionWhere(sql`${occasions.id} = ${-id}`)
      const found = await ledger.find(id)
      if (found?.addsTo != null && isOccasionId(found.addsTo))
        return occasionWhere(sql`${occasions.id} = ${-found.addsTo}`)
      return found?.kind === "occasion" ? occasionWhere(sql`${occasions.transactionId} = ${id}`) : found
    },

    async after(position, limit) {
      // Both end where the ledger ends now: a transaction that is committed between the two reads is left to the next call.
      const [end, rows] = await db.snapshot([
        ends,
        celebrationsWhere(sql`AND ${occasions.id} > ${position} ORDER BY ${occasions.id} LIMIT ${limit}`),
      ])
      const [followed, celebrated] = await Promise.all([
        ledger.between(transactionIdUpTo(position), single(end).transfer, limit),
        entriesIn(db, rows),
      ])
      const adjusted = await occasionsWith(
        db,
        followed.flatMap(({ addsTo }) => addsTo ?? []),
      )
      const byId = new Map(adjusted.map((entry) => [entry.id, entry]))
      const adjusting = followed.map((one) =>
        one.addsTo === null ? one : { ...one, adjusts: one.adjusts ?? byId.get(one.addsTo) ?? null },
      )
      return [...adjusting, ...celebrated.map((entry) => ({ ...entry, adjusts: null }))]
        .sort(byPosition)
        .slice(0, limit)
    },

    lastPosition,
  }

  async function lastPosition(): Promise<number> {
    const last = await one(db, ends)
    return Math.max(positionOf(last.transfer), last.occasion)
  }

  async function occasionWhere(condition: SQL): Promise<Recognition | null> {
    const [found] = await entriesOf(db, sql`AND ${condition}`)
    return found ?? null
  }
}

export const createOccasionStore = (db: Database): OccasionStore => ({
  async on({ days, ...query }) {
    const found: DayOfSomebody[] = []
    for (const ofDate of Map.groupBy(await withSomebody(db, days), ({ date }) => date).values()) {
      // Each day by itself, in the order of the indexes: no more is read than the page holds, however many celebrate.
      const read = await Promise.all(ofDate.flatMap((day) => onDay(day, query)).map((statement) => db.all(statement)))
      found.push(...read.flat().sort((a, b) => a.userId - b.userId || placeOf(a.kind) - placeOf(b.kind)))
      if (found.length >= query.limit) break
    }
    return found.slice(0, query.limit)
  },
})

// Conditions in the words of the indexes `users_by_birthday` and `users_by_joining`, which hold nobody else.
const celebratesBirthday = sql`${users.birthday} IS NOT NULL AND ${users.celebrates} = 1 AND ${users.deactivatedAt} IS NULL`
const celebratesJoining = sql`${users.joined} IS NOT NULL AND (${users.celebrates} IS NULL OR ${users.celebrates} = 1)
  AND ${users.deactivatedAt} IS NULL`

/**
 * Those of the days on which anybody may have an occasion, ascending: the indexes are asked which day of the year comes next.
 * EXISTS would let PostgreSQL read everybody for each empty day, if most people have the same day.
 */
const withSomebody = (reads: Reads, days: readonly CelebratedDay[]): Promise<CelebratedDay[]> =>
  reads.all(sql<CelebratedDay>`SELECT asked.date AS date, asked."dayOfYear" AS "dayOfYear", asked.year AS year
    FROM ${records("asked", days, { date: "text", dayOfYear: "text", year: "bigint" })}
    WHERE asked."dayOfYear" = (SELECT min(${users.birthday}) FROM ${users}
        WHERE ${celebratesBirthday} AND ${users.birthday} >= asked."dayOfYear")
      OR asked."dayOfYear" = (SELECT min(substr(${users.joined}, 6)) FROM ${users}
        WHERE ${celebratesJoining} AND substr(${users.joined}, 6) >= asked."dayOfYear")
    ORDER BY asked.date`)

/** Among the occasions of a person on a day, a birthday comes first. */
const placeOf = (kind: OccasionKind): number => (kind === "birthday" ? 0 : 1)

/** Statements for the first birthdays, and for the first anniversaries and first days, of a day. */
function onDay({ date, dayOfYear, year }: CelebratedDay, query: Omit<OccasionQuery, "days">): SQL<DayOfSomebody>[] {
  const { kinds, userId, isOpen = false, after, limit } = query
  const isTheirs = userId === undefined ? nothing : sql`AND ${users.id} = ${userId}`
  const statements: SQL<DayOfSomebody>[] = []
  const isBirthday = sql`${celebratesBirthday} AND ${users.birthday} = ${dayOfYear}`
  if (kinds.includes("birthday")) statements.push(first(sql`'birthday'`, placeOf("birthday"), isBirthday))
  const kind = sql`CASE WHEN ${users.joined} = ${date} THEN 'first_day' ELSE 'anniversary' END`
  const isJoining = sql`${celebratesJoining} AND substr(${users.joined}, 6) = ${dayOfYear}`
  const [hasAnniversaries, hasFirstDays] = [kinds.includes("anniversary"), kinds.includes("first_day")]
  // A list of kinds in the statement would make PostgreSQL read everybody of the day and sort them.
  if (hasAnniversaries || hasFirstDays) {
    const isWanted = !hasFirstDays
      ? sql`${users.joined} < ${date}`
      : hasAnniversaries
        ? sql`${users.joined} <= ${date}`
        : sql`${users.joined} = ${date}`
    statements.push(first(kind, placeOf("anniversary"), sql`${isJoining} AND ${isWanted}`))
  }
  return statements

  function first(kind: SQL, place: number, condition: SQL): SQL<DayOfSomebody> {
    const isOnLaterPage =
      after?.date === date
        ? sql`AND ${users.id} > ${place > placeOf(after.kind) ? after.userId - 1 : after.userId}`
        : nothing
    const isNotCelebrated = sql`AND NOT EXISTS (SELECT 1 FROM ${occasions}
      WHERE ${occasions.userId} = ${users.id} AND ${occasions.kind} = ${kind} AND ${occasions.year} = ${year})`
    return select(dayOfSomebody(date, year, kind))`FROM ${users}
      WHERE ${condition} ${isTheirs} ${isOnLaterPage} ${isOpen ? isNotCelebrated : nothing}
        AND ${users.id} <> (SELECT admin.id FROM ${users} AS admin WHERE admin.username = ${adminUsername})
      ORDER BY ${users.id} LIMIT ${limit}`
  }
}

const nothing = sql``

const dayOfSomebody = (date: Day, year: number, kind: SQL) => sql<DayOfSomebody>`
  ${date}::text AS date, ${year}::bigint AS year, ${kind} AS kind, ${users.id} AS "userId", ${users.username} AS username,
  ${users.name} AS name, ${users.avatar} AS avatar, ${users.dept} AS dept, ${users.joined} AS joined`

/** The occasions of a user as notifications: with ids below `before`, newest first, at most `limit`. */
export const celebrationsOf = (userId: number, before: number, limit: number) =>
  celebrationsWhere(
    sql`AND ${occasions.userId} = ${userId} AND ${occasions.id} < ${before} ORDER BY ${occasions.id} DESC LIMIT ${limit}`,
  )

/** The entries of occasions with these ids, which are negative as in the feed. */
export async function occasionsWith(reads: Reads, entryIds: readonly number[]): Promise<Recognition[]> {
  const ids = entryIds.filter(isOccasionId).map((id) => -id)
  if (ids.length === 0) return []
  return entriesOf(reads, sql`AND ${occasions.id} IN (SELECT value FROM ${list("asked", ids, "bigint")})`)
}

const byPosition = (one: Recognition, other: Recognition): number => positionOf(one.id) - positionOf(other.id)

const ends = sql<{ transfer: number; occasion: number }>`
  SELECT ${ledgerState.lastId} AS transfer, (SELECT coalesce(max(${occasions.id}), 0) FROM ${occasions}) AS occasion
  FROM ${ledgerState}`

const columns = {
  id: occasions.id,
  kind: occasions.kind,
  years: occasions.years,
  text: occasions.text,
  date: occasions.date,
  transactionId: occasions.transactionId,
  userId: users.id,
  username: users.username,
  name: users.name,
  avatar: users.avatar,
  senderId: sql<number>`sender.id`,
  senderName: sql<string>`sender.name`,
  senderAvatar: sql<string | null>`sender.avatar`,
  value: sql<number>`coalesce(${transactions.value}, 0)`,
  reversed: sql<number>`(SELECT coalesce(sum(reversal.value), 0)::bigint FROM ${transactions} AS reversal
    WHERE reversal.reverses = ${occasions.transactionId})`,
}

/** An occasion with the person, `admin`, and its points. */
const celebration = fields(columns)
const celebrations = sql`FROM ${occasions} JOIN ${users} ON ${users.id} = ${occasions.userId}
    LEFT JOIN ${transactions} ON ${transactions.id} = ${occasions.transactionId} CROSS JOIN ${users} AS sender
  WHERE sender.username = ${adminUsername}`

/** `selected`: more conditions, order and limit. */
const celebrationsWhere = (selected: SQL) => select(celebration)`${celebrations} ${selected}`

/** The entries that this selects. */
const entriesOf = async (reads: Reads, selected: SQL): Promise<Recognition[]> =>
  entriesIn(reads, await reads.all(celebrationsWhere(selected)))

/** The entries of these occasions. */
export async function entriesIn(reads: Reads, rows: readonly RowOf<typeof columns>[]): Promise<Recognition[]> {
  if (rows.length === 0) return []
  const additions = await reads.all(additionsTo(rows.map(({ id }) => -id)))
  const byEntry = Map.groupBy(additions, ({ recognitionId }) => recognitionId)
  return rows.map((row) => entryOf(row, addedIn(byEntry.get(-row.id) ?? [])))
}

function entryOf(
  { id, kind, years, text, date, transactionId, ...row }: RowOf<typeof columns>,
  added: Added,
): Recognition {
  const { userId, username, name, avatar, value, reversed, senderId, senderName, senderAvatar } = row
  const receiver = { username, name, avatar }
  return {
    id: -id,
    kind: "occasion",
    date,
    value,
    senderId,
    sender: { username: adminUsername, name: senderName, avatar: senderAvatar },
    receiverId: userId,
    receiver,
    receivers: [{ ...receiver, userId, transactionId: transactionId ?? -id, reversed }],
    note: { reason: textOf(text, { name, years }), tags: [], isPrivate: false },
    group: null,
    addsTo: null,
    reverses: null,
    reversed,
    added,
    occasion: { kind, years },
  }
}

/** Entries of occasions below the position `end`, newest first, at most `limit`. */
async function newestOf(reads: Reads, query: RecognitionQuery, end: number): Promise<Recognition[]> {
  const { participantIds, dept, noteMatches, limit } = query
  const [one, ...others] = new Set(participantIds)
  // An occasion has one participant, since nobody gave it.
  if (others.length > 0) return []
  const found: Recognition[] = []
  const atOnce = noteMatches ? searchedAtOnce : limit
  for (let before = end; found.length < limit; ) {
    const entries = await entriesOf(
      reads,
      sql`${conditions(before, one, dept)} ORDER BY ${occasions.id} DESC LIMIT ${atOnce}`,
    )
    found.push(...entries.filter(({ note, ...entry }) => !noteMatches || (note && noteMatches({ ...entry, note }))))
    const last = entries.at(-1)
    if (last === undefined || entries.length < atOnce) break
    before = positionOf(last.id)
  }
  return found.slice(0, limit)
}

const conditions = (before: number, userId: number | undefined, dept: string | undefined): SQL => {
  const isBefore = sql`AND ${occasions.id} < ${before}`
  const isOf = userId === undefined ? isBefore : sql`${isBefore} AND ${occasions.userId} = ${userId}`
  return dept === undefined ? isOf : sql`${isOf} AND ${users.dept} = ${dept}`
}
