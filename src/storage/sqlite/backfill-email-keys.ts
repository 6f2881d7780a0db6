import type { Database } from "bun:sqlite"
import { emailKey } from "../../domain/fields.ts"

/**
 * Makes the keys of earlier versions, which told a final sigma from another, what they are today. Where another
 * user has that key already, the old one stays: both were there.
 */
export function backfillEmailKeys(client: Database) {
  const old = client.query<{ id: number; email: string }, []>(
    "SELECT id, email FROM users WHERE email_key LIKE '%ς%' ORDER BY id",
  )
  const update = client.prepare("UPDATE OR IGNORE users SET email_key = ? WHERE id = ?")
  for (const { id, email } of old.all()) update.run(emailKey(email), id)
}
