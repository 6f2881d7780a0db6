import { defaultMailChoice } from "../../domain/recognition/model.ts"
import type { MailStore } from "../../domain/recognition/ports.ts"
import { type Database, one } from "../database.ts"
import { fields, list, returning, row, select, set, sql } from "../sql.ts"
import { balances, mailChoices, transactions, users } from "../tables.ts"
import { isRecognition } from "./recognitions.ts"

const choice = fields({ mail: mailChoices.mail, language: mailChoices.language })
const reader = fields({
  id: users.id,
  dept: users.dept,
  balance: sql<number>`coalesce(${balances.value}, 0)`,
  reports: sql<number>`(SELECT count(*) FROM ${users} AS report
    WHERE report.manager_id = ${users.id} AND report.deactivated_at IS NULL)`,
})

/** Who wants which mail about recognition. */
export function createMailStore(db: Database): MailStore {
  return {
    async choiceOf(userId) {
      const chosen = await db.first(select(choice)`FROM ${mailChoices} WHERE ${mailChoices.userId} = ${userId}`)
      return chosen ?? defaultMailChoice
    },

    choose: (userId, { mail, language }) =>
      db.write((tx) => {
        const first = { userId, mail: mail ?? defaultMailChoice.mail, language: language ?? defaultMailChoice.language }
        // With the user, so that a change of nothing is a statement too.
        const changed = { userId, mail, language }
        return one(
          tx,
          returning(choice)`INSERT INTO ${mailChoices} ${row(mailChoices, first)}
            ON CONFLICT (user_id) DO UPDATE SET ${set(mailChoices, changed)}`,
        )
      }),

    readers: (frequencies, afterId, limit) =>
      db.all(select(reader)`FROM ${users} LEFT JOIN ${mailChoices} ON ${mailChoices.userId} = ${users.id}
          LEFT JOIN ${balances} ON ${balances.userId} = ${users.id}
        WHERE ${users.deactivatedAt} IS NULL AND ${users.id} > ${afterId}
          AND coalesce(${mailChoices.mail}, ${defaultMailChoice.mail})
            IN (SELECT value FROM ${list("asked", frequencies, "text")})
        ORDER BY ${users.id} LIMIT ${limit}`),

    async newcomers(joined, afterId, limit) {
      const found = await db.all(
        sql<{ id: number }>`SELECT ${users.id} AS id FROM ${users}
          WHERE ${users.joined} = ${joined} AND ${users.managerId} IS NOT NULL AND ${users.deactivatedAt} IS NULL
            AND ${users.id} > ${afterId}
          ORDER BY ${users.id} LIMIT ${limit}`,
      )
      return found.map(({ id }) => id)
    },

    async recognitionsToMail(after, through) {
      const found = await db.all(
        sql<{ id: number }>`SELECT ${transactions.id} AS id FROM ${transactions}
            JOIN ${mailChoices} ON ${mailChoices.userId} = ${transactions.userId} AND ${mailChoices.mail} = 'each'
            JOIN ${users} ON ${users.id} = ${transactions.userId} AND ${users.deactivatedAt} IS NULL
          WHERE ${transactions.id} > ${after} AND ${transactions.id} <= ${through} AND ${isRecognition}
          ORDER BY ${transactions.id}`,
      )
      return found.map(({ id }) => id)
    },
  }
}
