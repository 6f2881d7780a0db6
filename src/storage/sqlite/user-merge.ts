import { getTableColumns, sql } from "drizzle-orm"
import { DomainError, details } from "../../domain/errors.ts"
import { emailKey, usernameCaseKey } from "../../domain/fields.ts"
import type { UserMerge } from "../../domain/imports.ts"
import { createNote } from "./audit.ts"
import type { Connection } from "./connection.ts"
import type { Lookalikes } from "./lookalikes.ts"
import { jobs, users } from "./schema.ts"

const { emailKey: _, usernameKey: __, ...userColumns } = getTableColumns(users)

/** `change` runs a write that changes what is stored of users. Prepared and raw where 10,000 rows wait for each. */
export function createUserMerge(
  connection: Connection,
  change: <T>(work: () => T) => T,
  lookalikes: Lookalikes,
): UserMerge {
  const { client, db, versions } = connection
  const note = createNote(connection)
  const among = (texts: string) => sql`(SELECT value FROM json_each(${sql.placeholder(texts)}))`
  const matching = db
    .select(userColumns)
    .from(users)
    .where(sql`${users.username} IN ${among("usernames")} OR ${users.emailKey} IN ${among("emails")}`)
    .orderBy(users.id)
    .prepare()
  const find: (keys: Parameters<UserMerge["matching"]>[0]) => ReturnType<typeof matching.all> = ({
    usernames,
    emails,
  }) => matching.all({ usernames: JSON.stringify(usernames), emails: JSON.stringify(emails.map(emailKey)) })
  const insert = client.prepare(
    `INSERT INTO users (username, username_key, name, email, email_key, dept, currency, avatar, bio, password)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = client.prepare(
    `UPDATE users SET name = ?, email = ?, email_key = ?, dept = ?, currency = ?, avatar = ?, bio = ?, refresh_version = ?
     WHERE id = ?`,
  )
  const enqueue = db
    .insert(jobs)
    .values({
      kind: sql.placeholder("kind"),
      payload: sql.placeholder("payload"),
      maxAttempts: sql.placeholder("maxAttempts"),
      runAt: sql.placeholder("runAt"),
      createdAt: sql.placeholder("createdAt"),
      state: "available",
    })
    .prepare()

  return {
    matching: async (keys) => find(keys),
    merge: async (keys, plan) => {
      lookalikes.begin()
      return change(() => {
        const changes = plan(find(keys))
        for (const { username, name, email, dept, currency, avatar, bio, password } of changes.create) {
          // Which of many it is, a superuser has to be told.
          if (lookalikes.isTaken(username))
            throw new DomainError("username_lookalike", `${details.username_lookalike}: ${username}`)
          const keys = { username: usernameCaseKey(username), email: emailKey(email) }
          insert.run(username, keys.username, name, email, keys.email, dept, currency, avatar, bio, password)
        }
        for (const { id, name, email, dept, currency, avatar, bio, refreshVersion } of changes.update)
          update.run(name, email, emailKey(email), dept, currency, avatar, bio, refreshVersion, id)
        changes.entries.forEach(note)
        for (const job of changes.jobs) enqueue.run({ ...job })
        versions.change()
      })
    },
  }
}
