import { DomainError, invalid } from "../errors.ts"
import type { Store } from "../store.ts"
import { checkMarks, isId, isLine, isLongerThan } from "../text.ts"
import { emailKey, usernameCaseKey } from "./fields.ts"
import { isActive, type User } from "./model.ts"
import { type Actor, isMembersDept, isSuperuser, requireSuperuser } from "./roles.ts"
import type { Users } from "./users.ts"

/** The department of people who have none. */
const noDept = "unassigned"
const maxExternalIdLength = 255
/** How many accounts one answer has at most. */
export const maxProvisionedPage = 200

/** What a directory states about a person. */
export interface ProvisionedFields {
  readonly username: string
  readonly name: string
  readonly email: string
  /** Null for none; undefined keeps the one that there is. */
  readonly dept: string | null | undefined
  /** The id of the manager, as text. Null for nobody; undefined keeps the one that there is. */
  readonly managerId: string | null | undefined
  readonly externalId: string | null
  readonly isActive: boolean
}

export interface ProvisionedUser {
  readonly user: User
  readonly externalId: string | null
  readonly manager: Pick<User, "id" | "name"> | null
}

/** Conditions that all users in an answer fulfil. At least one of the first four is given. */
export interface ProvisionedFilter {
  readonly id?: string | undefined
  readonly username?: string | undefined
  readonly externalId?: string | undefined
  readonly email?: string | undefined
  readonly isActive?: boolean | undefined
  /** An id. */
  readonly manager?: string | undefined
}

interface Dependencies {
  readonly store: Pick<Store, "provisioned" | "users">
  readonly users: Pick<Users, "createWithoutPassword" | "correct">
  readonly leavers: {
    deactivate(actor: Actor, user: User, how: { returnPoints: boolean }): Promise<User>
    reactivate(actor: Actor, user: User): Promise<User>
  }
}

/**
 * Provisioning of people by a directory (docs/operations/scim.md). The directory can neither make superusers nor change
 * their department: it counts `management` as no department. Nor can it take over the account of a superuser, or of somebody
 * with duties, because it cannot change their e-mail addresses, to which reset links are sent.
 * A manager who has left changes nothing, because directories go on naming them for a while.
 */
export function createProvisioning({ store, users, leavers }: Dependencies) {
  return {
    /** An account that is not erased, by its id as decimal text. @throws DomainError `user_not_found` */
    find,

    /** One page of users, ascending by id, and the total number. `skip` and `limit` count users. Ends
     *  when the signal aborts. */
    async page(
      skip: number,
      limit: number,
      signal?: AbortSignal,
    ): Promise<{ readonly users: ProvisionedUser[]; readonly total: number }> {
      const page = await store.provisioned.page(skip, Math.min(limit, maxProvisionedPage), signal)
      return { users: await provisioned(page.users), total: page.total }
    },

    /** Usernames and addresses are compared without regard to case. */
    async matching(filter: ProvisionedFilter): Promise<ProvisionedUser[]> {
      const found = (await candidates(filter)).filter((user) => user.erasedAt === null)
      return (await provisioned(found)).filter((one) => fits(one, filter))
    },

    /**
     * Creates an account without a password. When another request took the external id meanwhile, the account stays
     * without one, and the directory can find it by its username.
     * @throws DomainError `not_superuser`, `invalid`, `username_taken`, `username_lookalike`, `integrity` (a taken
     * e-mail address), `external_id_taken`
     */
    async create(actor: Actor, fields: ProvisionedFields): Promise<ProvisionedUser> {
      requireSuperuser(actor)
      const { username, name, email, externalId } = fields
      await checkExternalId(externalId, null)
      if ((await byUsername(username)).length > 0) throw new DomainError("username_taken")
      const dept = deptIn(fields) ?? noDept
      const manager = await managerIn(fields)
      const user = await users.createWithoutPassword(actor, { username, name, email, dept })
      await users.correct(actor, user, { manager })
      if (externalId !== null) await store.provisioned.setExternalId(user.id, externalId)
      if (!fields.isActive) await leavers.deactivate(actor, user, { returnPoints: false })
      return find(String(user.id))
    },

    /**
     * Updates an account to what the directory states. `deactivate` is called before, so that a deactivation remains when the
     * other changes are refused. Somebody who leaves keeps the username, before which directories put an id then.
     * @throws DomainError `not_superuser`, `invalid`, `username_taken`, `username_lookalike`, `email_taken`, `external_id_taken`, `manager_cycle`
     */
    async update(
      actor: Actor,
      { user, externalId }: ProvisionedUser,
      fields: ProvisionedFields,
    ): Promise<ProvisionedUser> {
      requireSuperuser(actor)
      await checkExternalId(fields.externalId, user)
      const email = isSuperuser(user) || user.duties.length > 0 ? user.email : fields.email
      const dept = isSuperuser(user) ? user.dept : (deptIn(fields) ?? user.dept)
      const isSameName = usernameCaseKey(fields.username) === usernameCaseKey(user.username)
      const username = isSameName || !fields.isActive ? user.username : fields.username
      await users.correct(actor, user, { username, name: fields.name, email, dept, manager: await managerIn(fields) })
      if (fields.externalId !== externalId) await store.provisioned.setExternalId(user.id, fields.externalId)
      if (!isActive(user) && fields.isActive) await leavers.reactivate(actor, user)
      return find(String(user.id))
    },

    /** @throws DomainError `not_superuser`, `invalid` (`admin`) */
    async deactivate(actor: Actor, { user }: ProvisionedUser): Promise<ProvisionedUser> {
      await leavers.deactivate(actor, user, { returnPoints: false })
      return find(String(user.id))
    },
  }

  async function find(id: string): Promise<ProvisionedUser> {
    const [found] = await provisioned(await byId(id))
    if (!found || found.user.erasedAt !== null) throw new DomainError("user_not_found")
    return found
  }

  async function provisioned(found: readonly User[]): Promise<ProvisionedUser[]> {
    const externalIds = await store.provisioned.externalIds(found.map(({ id }) => id))
    const managerIds = new Set(found.flatMap(({ managerId }) => managerId ?? []))
    const managers = new Map((await store.users.byIds([...managerIds])).map((manager) => [manager.id, manager]))
    return found.map((user) => ({
      user,
      externalId: externalIds.get(user.id) ?? null,
      manager: user.managerId === null ? null : (managers.get(user.managerId) ?? null),
    }))
  }

  /** The username of the manager; undefined where the directory states nothing, or somebody who has left.
   *  @throws DomainError `invalid` */
  async function managerIn({ managerId }: ProvisionedFields): Promise<string | null | undefined> {
    if (managerId == null) return managerId
    const [manager] = await byId(managerId)
    if (!manager || manager.erasedAt !== null) throw invalid("manager", "nobody has this id")
    return isActive(manager) ? manager.username : undefined
  }

  /** At most a few users: those that match the first of the four conditions that is given. */
  async function candidates({ id, username, externalId, email }: ProvisionedFilter): Promise<readonly User[]> {
    if (id !== undefined) return byId(id)
    if (username !== undefined) return byUsername(username)
    if (externalId !== undefined) {
      const userId = await store.provisioned.find(externalId)
      return userId === null ? [] : store.users.byIds([userId])
    }
    if (email === undefined) return []
    const user = await store.users.byEmail(email)
    return user ? [user] : []
  }

  async function byId(id: string): Promise<readonly User[]> {
    return isId(id) ? store.users.byIds([Number(id)]) : []
  }

  async function byUsername(username: string): Promise<User[]> {
    const key = usernameCaseKey(username)
    return (await store.users.byLoginName(username)).filter((user) => usernameCaseKey(user.username) === key)
  }

  /** @throws DomainError `invalid`, `external_id_taken` */
  async function checkExternalId(externalId: string | null, owner: User | null): Promise<void> {
    if (externalId === null) return
    if (isLongerThan(externalId, maxExternalIdLength) || externalId === "" || !isLine(externalId))
      throw invalid("externalId", `1 to ${maxExternalIdLength} visible characters`)
    checkMarks("externalId", externalId)
    const userId = await store.provisioned.find(externalId)
    if (userId !== null && userId !== owner?.id) throw new DomainError("external_id_taken")
  }
}

/** The department to store; undefined where the directory states nothing, or `management`. */
function deptIn({ dept }: ProvisionedFields): string | undefined {
  if (dept === null) return noDept
  return dept !== undefined && isMembersDept(dept) ? dept : undefined
}

function fits({ user, externalId, manager }: ProvisionedUser, filter: ProvisionedFilter): boolean {
  return (
    (filter.id === undefined || filter.id === String(user.id)) &&
    (filter.username === undefined || usernameCaseKey(filter.username) === usernameCaseKey(user.username)) &&
    (filter.externalId === undefined || filter.externalId === externalId) &&
    (filter.email === undefined || emailKey(filter.email) === emailKey(user.email)) &&
    (filter.isActive === undefined || filter.isActive === isActive(user)) &&
    (filter.manager === undefined || filter.manager === String(manager?.id))
  )
}
