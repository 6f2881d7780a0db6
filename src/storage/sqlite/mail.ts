import { defaultMailChoice, type MailChoice, type MailReader } from "../../domain/model.ts"
import type { MailStore } from "../../domain/store.ts"
import { recognitionCondition } from "../rows.ts"
import type { Connection } from "./database/connection.ts"

/** `MailStore`. */
export function createMailStore({ client, write }: Pick<Connection, "client" | "write">): MailStore {
  const choice = client.prepare<MailChoice, [number]>("SELECT mail, language FROM mail_choices WHERE user_id = ?")
  const keep = client.prepare(
    `INSERT INTO mail_choices (user_id, mail, language) VALUES (?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET mail = excluded.mail, language = excluded.language`,
  )
  const readers = client.prepare<MailReader, [string, string, number, number]>(
    `SELECT id, dept, coalesce(value, 0) AS balance
     FROM users LEFT JOIN mail_choices ON mail_choices.user_id = id LEFT JOIN balances ON balances.user_id = id
     WHERE deactivated_at IS NULL AND coalesce(mail, ?1) IN (SELECT value FROM json_each(?2)) AND id > ?3 ORDER BY id LIMIT ?4`,
  )
  const recognitionsToMail = client.prepare<{ id: number }, [number, number]>(
    `SELECT t.id FROM transactions AS t JOIN mail_choices ON mail_choices.user_id = t.user_id AND mail = 'each'
       JOIN users ON users.id = t.user_id AND deactivated_at IS NULL
     WHERE t.id > ? AND t.id <= ? AND ${recognitionCondition} ORDER BY t.id`,
  )

  return {
    choiceOf: async (userId) => choice.get(userId) ?? defaultMailChoice,

    choose: (userId, { mail, language }) =>
      write(() => {
        const before = choice.get(userId) ?? defaultMailChoice
        const chosen = { mail: mail ?? before.mail, language: language === undefined ? before.language : language }
        keep.run(userId, chosen.mail, chosen.language)
        return chosen
      }),

    readers: async (frequencies, afterId, limit) =>
      readers.all(defaultMailChoice.mail, JSON.stringify(frequencies), afterId, limit),

    recognitionsToMail: async (after, through) => recognitionsToMail.all(after, through).map(({ id }) => id),
  }
}
