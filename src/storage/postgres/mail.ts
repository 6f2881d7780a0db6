import { defaultMailChoice, type MailChoice, type MailReader } from "../../domain/model.ts"
import type { MailStore } from "../../domain/store.ts"
import { recognitionCondition } from "../rows.ts"
import type { Client } from "./database/client.ts"

/** `MailStore`. */
export function createMailStore(client: Client): MailStore {
  return {
    async choiceOf(userId) {
      const [choice] = await client.query<MailChoice>("SELECT mail, language FROM mail_choices WHERE user_id = $1", [
        userId,
      ])
      return choice ?? defaultMailChoice
    },

    async choose(userId, { mail, language }) {
      const [chosen] = await client.change<MailChoice>(
        `INSERT INTO mail_choices AS kept (user_id, mail, language) VALUES ($1, coalesce($2, $5), $4)
         ON CONFLICT (user_id) DO UPDATE SET mail = coalesce($2, kept.mail),
           language = CASE WHEN $3 THEN $4 ELSE kept.language END
         RETURNING mail, language`,
        [userId, mail ?? null, language !== undefined, language ?? null, defaultMailChoice.mail],
      )
      if (!chosen) throw new Error("a choice that was stored was not returned")
      return chosen
    },

    readers: (frequencies, afterId, limit) =>
      client.query<MailReader>(
        `SELECT id, dept, coalesce(value, 0) AS balance
         FROM users LEFT JOIN mail_choices ON mail_choices.user_id = id LEFT JOIN balances ON balances.user_id = id
         WHERE deactivated_at IS NULL AND coalesce(mail, $1) = ANY($2::text[]) AND id > $3 ORDER BY id LIMIT $4`,
        [defaultMailChoice.mail, frequencies, afterId, limit],
      ),

    async recognitionsToMail(after, through) {
      const rows = await client.query<{ id: number }>(
        `SELECT t.id FROM transactions t JOIN mail_choices chosen ON chosen.user_id = t.user_id AND chosen.mail = 'each'
           JOIN users u ON u.id = t.user_id AND u.deactivated_at IS NULL
         WHERE t.id > $1 AND t.id <= $2 AND ${recognitionCondition} ORDER BY t.id`,
        [after, through],
      )
      return rows.map(({ id }) => id)
    },
  }
}
