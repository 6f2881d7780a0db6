import { emailKey, usernameCaseKey } from "../../domain/people/fields.ts"
import type { NewUser, User } from "../../domain/people/model.ts"
import { searchKey } from "../../domain/people/people-search.ts"
import { confusableForms } from "../../security/confusables.ts"
import { exists, type Tx } from "../database.ts"
import { columnsOf, fields, list, records, rows, sql } from "../sql.ts"
import { balances, confusables, users } from "../tables.ts"

/** The columns of a `User`. */
export const userFields = columnsOf(users, "emailKey", "usernameKey", "searchKey")

export const user = fields(userFields)

/** The same, of `users` joined with the row in `balances` that may be missing. */
export const userWithBalance = fields({ ...userFields, balance: sql<number>`coalesce(${balances.value}, 0)` })

/** The row of a new user. */
export const newRow = ({ birthday = null, joined = null, ...user }: NewUser) => ({
  ...user,
  birthday,
  joined,
  duties: [],
  usernameKey: usernameCaseKey(user.username),
  emailKey: emailKey(user.email),
  searchKey: searchKey(user),
})

/** What people said about themselves, the days of theirs, and their manager, after their erasure. */
export const nothingSaid = { avatar: null, bio: null, birthday: null, joined: null, celebrates: null, managerId: null }

/** A look-alike form of a username or a name. */
interface Form {
  readonly kind: "username" | "name"
  readonly skeleton: string
  readonly userId: number
}

const formsOf = (kind: Form["kind"], text: string, userId: number): Form[] =>
  [...confusableForms(text)].map((skeleton) => ({ kind, skeleton, userId }))

/** Whether another user than `userId` (0: any user) has a username or name that looks like `text`. Call `lockAccounts` first. */
export const isConfusable = (tx: Tx, kind: Form["kind"], text: string, userId = 0): Promise<boolean> =>
  exists(
    tx,
    sql`${confusables} WHERE ${confusables.kind} = ${kind} AND ${confusables.userId} <> ${userId}
      AND ${confusables.skeleton} IN (SELECT value FROM ${list("asked", [...confusableForms(text)], "text")})`,
  )

/** The last of these users whose username looks like somebody else's, or null. */
export async function findConfusable<U extends Pick<User, "id" | "username">>(
  tx: Tx,
  added: readonly U[],
): Promise<U | null> {
  const forms = added.flatMap(({ id, username }) => formsOf("username", username, id))
  const found = await tx.first(sql<{ id: number }>`SELECT own."userId" AS id
    FROM ${records("own", forms, { skeleton: "text", userId: "bigint" })}
      CROSS JOIN ${confusables} WHERE ${confusables.kind} = 'username' AND ${confusables.skeleton} = own.skeleton
        AND ${confusables.userId} <> own."userId"
    ORDER BY own."userId" DESC LIMIT 1`)
  return added.find(({ id }) => id === found?.id) ?? null
}

export function addConfusables(tx: Tx, added: readonly Pick<User, "id" | "username" | "name">[]) {
  insertForms(
    tx,
    added.flatMap(({ id, username, name }) => [...formsOf("username", username, id), ...formsOf("name", name, id)]),
  )
}

export function renameConfusables(
  tx: Tx,
  kind: Form["kind"],
  renamed: readonly { readonly id: number; readonly before: string; readonly after: string }[],
) {
  if (renamed.length === 0) return
  const old = renamed.flatMap(({ id, before }) => formsOf(kind, before, id))
  tx.send(sql`DELETE FROM ${confusables} WHERE ${confusables.kind} = ${kind} AND (skeleton, user_id) IN
    (SELECT old.skeleton, old."userId" FROM ${records("old", old, { skeleton: "text", userId: "bigint" })})`)
  insertForms(
    tx,
    renamed.flatMap(({ id, after }) => formsOf(kind, after, id)),
  )
}

const insertForms = (tx: Tx, forms: readonly Form[]) =>
  tx.send(sql`INSERT INTO ${confusables} ${rows(confusables, forms)} ON CONFLICT DO NOTHING`)
