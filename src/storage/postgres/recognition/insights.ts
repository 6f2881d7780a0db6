import type { Calendar } from "../../../domain/calendar.ts"
import { maxValue } from "../../../domain/ledger/ledger.ts"
import type {
  DayRange,
  DepartmentRecognition,
  Participation,
  PersonRecognition,
  RecognitionSum,
} from "../../../domain/model.ts"
import { monthsOf } from "../../../domain/recognition/periods.ts"
import type { InsightStore } from "../../../domain/store.ts"
import type { Client, Queries } from "../database/client.ts"
import { isRecognition } from "../history/records.ts"

/** What is left of each recognition from $1 to before $2. */
const left = `SELECT t.*, t.value - coalesce(reversed.value, 0) AS "left" FROM transactions t
  LEFT JOIN (SELECT reverses, sum(value)::bigint AS value FROM transactions WHERE reverses IS NOT NULL GROUP BY reverses)
    reversed ON reversed.reverses = t.id
  WHERE ${isRecognition} AND t.date >= $1 AND t.date < $2 AND t.value > coalesce(reversed.value, 0)`

const sums = `count(*) AS count, least(sum("left"), ${maxValue})::bigint AS value`

/** The number of the month, from 1: $3 has the moments at which the months begin. */
const month = "width_bucket(date, $3::bigint[])"

interface OfMonth extends RecognitionSum {
  readonly number: number
}

/** `InsightStore`. */
export function createInsightStore(client: Client, calendar: Calendar): InsightStore {
  /** When a range begins and ends. */
  const momentsOf = ({ first, last }: DayRange) => [calendar.startOf(first), calendar.startOf(last + 1)]
  const withMonths = (days: DayRange) => [
    ...momentsOf(days),
    monthsOf(days).map(({ firstDay }) => calendar.startOf(firstDay)),
  ]

  return {
    participation: (days) => client.snapshot((queries) => participation(queries, days, withMonths(days))),

    departments: (days) =>
      client.query<DepartmentRecognition>(
        `SELECT sender.dept AS "from", receiver.dept AS "to", sum(pair.count)::bigint AS count,
           least(sum(pair.value), ${maxValue})::bigint AS value
         FROM (SELECT from_id, user_id, ${sums} FROM (${left}) recognition GROUP BY from_id, user_id) pair
           JOIN users sender ON sender.id = pair.from_id JOIN users receiver ON receiver.id = pair.user_id
         GROUP BY sender.dept, receiver.dept`,
        momentsOf(days),
      ),

    async tags(days) {
      const rows = await client.query<OfMonth & { readonly tag: string }>(
        `SELECT ${month} AS number, tag, ${sums}
         FROM (${left}) recognition JOIN notes ON notes.transaction_id = recognition.id
           CROSS JOIN LATERAL unnest(string_to_array(notes.tags, ' ')) AS tag
         WHERE notes.tags <> '' GROUP BY 1, 2`,
        withMonths(days),
      )
      const months = monthsOf(days)
      return rows.map(({ number, ...row }) => ({ ...row, month: months[number - 1]?.name ?? "" }))
    },

    async people(days) {
      const rows = await client.query<PersonRecognition>(
        `SELECT u.id, u.username, u.name, u.dept, u.avatar, coalesce(b.value, 0) AS balance,
           coalesce(sent.value, 0)::bigint AS sent, received.last AS "lastReceived"
         FROM users u LEFT JOIN balances b ON b.user_id = u.id
           LEFT JOIN (SELECT from_id, ${sums} FROM (${left}) recognition WHERE date >= $3 AND date < $4 GROUP BY from_id)
             sent ON sent.from_id = u.id
           LEFT JOIN (SELECT user_id, max(date) AS last FROM (${left}) recognition GROUP BY user_id)
             received ON received.user_id = u.id
         WHERE u.deactivated_at IS NULL ORDER BY u.id`,
        [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, ...momentsOf(days)],
      )
      return rows.map(({ lastReceived, ...row }) => ({
        ...row,
        lastReceived: lastReceived === null ? null : calendar.dayOf(lastReceived),
      }))
    },
  }
}

async function participation(
  { query }: Queries,
  days: DayRange,
  moments: readonly (number | number[])[],
): Promise<Participation[]> {
  const by = (column: "from_id" | "user_id") =>
    query<OfMonth & { readonly people: number }>(
      `SELECT number, count(*) AS people, sum(count)::bigint AS count, least(sum(value), ${maxValue})::bigint AS value
       FROM (SELECT ${month} AS number, ${column}, ${sums} FROM (${left}) recognition GROUP BY 1, 2) person
       GROUP BY number ORDER BY number`,
      moments,
    )
  const [bySender, byReceiver] = await Promise.all([by("from_id"), by("user_id")])
  const months = monthsOf(days)
  return bySender.map(({ number, people, count, value }, index) => ({
    month: months[number - 1]?.name ?? "",
    senders: people,
    receivers: byReceiver[index]?.people ?? 0,
    count,
    value,
  }))
}
