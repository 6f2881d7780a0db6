import { confusableForms } from "../../../confusables.ts"
import type { User } from "../../../domain/model.ts"
import type { Transaction } from "../database/client.ts"

/** Columns of users `u`, named as the fields of a `User`. */
export const userColumns = `u.id, u.email, u.username, u.name, u.dept, u.currency, u.avatar, u.bio, u.password,
  u.access_version AS "accessVersion", u.refresh_version AS "refreshVersion",
  u.kept_token AS "keptToken", u.deactivated_at AS "deactivatedAt", u.erased_at AS "erasedAt"`

type Kind = "username" | "name"

/** Whether another user has a username or name that looks like `text`. */
export async function isConfusable(tx: Transaction, kind: Kind, text: string, userId: number): Promise<boolean> {
  const found = await tx.query(
    "SELECT 1 FROM confusables WHERE kind = $1 AND skeleton = ANY($2) AND user_id <> $3 LIMIT 1",
    [kind, [...confusableForms(text)], userId],
  )
  return found.length > 0
}

export async function addConfusables(tx: Transaction, users: readonly Pick<User, "id" | "username" | "name">[]) {
  await insertForms(
    tx,
    users.flatMap(({ id, username, name }) => [...formsOf("username", username, id), ...formsOf("name", name, id)]),
  )
}

export async function renameConfusables(
  tx: Transaction,
  changes: readonly { readonly id: number; readonly before: string; readonly after: string }[],
) {
  const old = changes.flatMap(({ id, before }) => formsOf("name", before, id))
  await tx.query(
    `DELETE FROM confusables USING unnest($1::text[], $2::bigint[]) AS old (skeleton, id)
     WHERE kind = 'name' AND confusables.skeleton = old.skeleton AND user_id = old.id`,
    [old.map(({ skeleton }) => skeleton), old.map(({ id }) => id)],
  )
  await insertForms(
    tx,
    changes.flatMap(({ id, after }) => formsOf("name", after, id)),
  )
}

interface Form {
  readonly kind: Kind
  readonly skeleton: string
  readonly id: number
}

const formsOf = (kind: Kind, text: string, id: number): Form[] =>
  [...confusableForms(text)].map((skeleton) => ({ kind, skeleton, id }))

const insertForms = (tx: Transaction, forms: readonly Form[]) =>
  tx.query(
    `INSERT INTO confusables (kind, skeleton, user_id) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
     ON CONFLICT DO NOTHING`,
    [forms.map(({ kind }) => kind), forms.map(({ skeleton }) => skeleton), forms.map(({ id }) => id)],
  )
