import type { MakeOnce } from "../../../src/domain/idempotency/idempotency.ts"
import type { NewUser, User } from "../../../src/domain/people/model.ts"
import type { Store } from "../../../src/domain/store.ts"

/** A user who is not stored yet: lower-case username and address from the name, department sales. */
export const person = (name: string, fields: Partial<NewUser> = {}): NewUser => ({
  name,
  username: name.toLowerCase(),
  email: `${name.toLowerCase()}@example.com`,
  dept: "sales",
  currency: "USD",
  avatar: null,
  bio: null,
  password: hashOf(name),
  ...fields,
})

/** A text in the form of a bcrypt hash. Stores never see the password itself. */
export const hashOf = (password: string): string => `$2b$10$${password.padEnd(53, ".")}`

/** Ana, Bruno and Carla, stored. */
export async function threePeople({ users }: Pick<Store, "users">): Promise<{ ana: User; bruno: User; carla: User }> {
  return {
    ana: await users.create(person("Ana")),
    bruno: await users.create(person("Bruno")),
    carla: await users.create(person("Carla")),
  }
}

/** A check that allows every transaction. */
export const allow = () => {}

/** A check that refuses every transaction. */
export const refuse = () => {
  throw new Error("no")
}

/** For rules that no request with an idempotency key calls. */
export const unkeyed: MakeOnce = (_, make) => make()

/** All rows of `ExportStore.personalRows`, by list. */
export async function personalRowsOf({ exports }: Pick<Store, "exports">, user: User) {
  const lists: Record<string, object[]> = {}
  for await (const { list, rows } of exports.personalRows(user)) lists[list] = [...(lists[list] ?? []), ...rows]
  return lists
}

/** The error with which a promise is rejected. */
export async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error("it was not refused")
}
