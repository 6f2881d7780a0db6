import { checkStillActive } from "../../domain/ledger/leavers.ts"
import type { NewOccasion } from "../../domain/occasions/model.ts"
import { maxValue } from "../../domain/points.ts"
import { notificationIdOf } from "../../domain/recognition/positions.ts"
import { row, sql } from "../sql.ts"
import { occasions, replies } from "../tables.ts"
import { append } from "./chain.ts"
import type { Kind, LockedLedger } from "./locked-ledger.ts"

/** This occasion of the person was celebrated in this year. */
export class AlreadyCelebrated extends Error {}

/** Makes the entry of an occasion, and posts its points, if it has any. */
export function celebration({ points, senderId, text, date, ...occasion }: NewOccasion): Kind {
  const { userId, kind, year } = occasion
  const earlier = sql<{ id: number }>`SELECT ${occasions.id} AS id FROM ${occasions}
    WHERE ${occasions.userId} = ${userId} AND ${occasions.kind} = ${kind} AND ${occasions.year} = ${year}`

  return {
    senderId,
    receiverIds: [userId],
    date,
    needs: { exclusive: [`${kind} ${year} of ${userId}`], queries: [earlier] },
    check(ledger) {
      checkStillActive("occasion", ledger.accountOf(senderId), ledger.accountOf(userId))
      if (ledger.rowOf(earlier) !== null) throw new AlreadyCelebrated()
    },
    append(ledger) {
      const value = Math.min(points, roomIn(ledger, senderId, userId))
      return value > 0 ? [append(ledger, { kind: "occasion", senderId, receiverId: userId, value, date })] : []
    },
    after(ledger, [transaction]) {
      const id = sql<number>`(SELECT max(id) + 1 FROM (
        SELECT ${notificationIdOf(ledger.end.lastId)}::bigint AS id
        UNION ALL SELECT max(${occasions.id}) FROM ${occasions}
        UNION ALL SELECT max(${replies.id}) FROM ${replies}
      ) AS used)`
      const made = { text, date: Math.max(ledger.end.lastDate, date), transactionId: transaction?.id ?? null }
      ledger.send(sql`INSERT INTO ${occasions} ${row(occasions, { id, ...occasion, ...made })}`)
    },
  }
}

/** The points by which no balance leaves ±maxValue. */
const roomIn = (ledger: LockedLedger, senderId: number, receiverId: number): number =>
  Math.min(ledger.accountOf(senderId).balance + maxValue, maxValue - ledger.accountOf(receiverId).balance)
