import { auditEntry } from "../audit/audit-log.ts"
import type { Origin } from "../audit/ports.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import { alsoMaking, type KeyedRequest, type MakeOnce } from "../idempotency/idempotency.ts"
import { invitationKind, type MailJobs, type MailRequest } from "../jobs/jobs.ts"
import type { Store } from "../store.ts"
import { sha256 } from "../text.ts"
import { storedAvatar } from "./avatars.ts"
import { correctionEntries, creationEntry, profileEntry } from "./changes.ts"
import { allDepartments, deptSpelling } from "./departments.ts"
import { dutiesAfter } from "./duties.ts"
import {
  checkedChange,
  checkedDept,
  checkedProfile,
  checkedUser,
  checkField,
  defaultAdminEmail,
  defaultCurrency,
  type UserRequest,
  usernameKey,
} from "./fields.ts"
import { formerUsernameMs } from "./former-usernames.ts"
import { addressesFixed, checkNewDept, checkNewManager, isLimited, requireMaintainer } from "./maintainers.ts"
import { hasLeft } from "./managers.ts"
import { type Correction, isActive, type Profile, type ProfileChange, type User } from "./model.ts"
import { checkedPicture } from "./pictures.ts"
import type { UserStore } from "./ports.ts"
import { type Actor, isSuperuser, managementDept, requireDuty, requireSuperuser } from "./roles.ts"

/** A superuser who always exists; the command line sends points in this name (docs/interface/README.md, "Terms"). */
export const adminUsername = "admin"

interface Dependencies {
  readonly store: Pick<Store, "users" | "people">
  readonly clock: Clock
  readonly hashing: {
    /** A hash that no password matches. */
    readonly unusableHash: string
    hash(password: string, requester: Pick<Origin, "who" | "address">): Promise<string>
  }
  readonly checkNewPassword: (password: string) => Promise<void>
  readonly makeOnce: MakeOnce
  readonly mailJobs: MailJobs
  /** The public URL of this server. */
  readonly address: { readonly url: string }
}

export type Users = ReturnType<typeof createUsers>

/** Who invites, for the mail; nobody where the operator does. */
export const inviterOf = ({ user }: Pick<Actor, "user">) => (user === null ? {} : { by: user.id })

export function createUsers({ store, clock, hashing, checkNewPassword, makeOnce, mailJobs, address }: Dependencies) {
  return {
    /**
     * Creates a user, for a superuser or the operator (docs/interface/users.md).
     * @throws DomainError `not_superuser`, `invalid`, `busy`, `username_taken`, `username_lookalike`, `integrity` (a taken
     * e-mail address)
     */
    async create(actor: Actor, request: UserRequest): Promise<User> {
      requireSuperuser(actor)
      const { password, ...fields } = checkedUser(withStoredAvatar(request))
      await checkNewPassword(password)
      const hash = await hashing.hash(password, actor)
      const user = { ...fields, dept: await spelled(fields.dept, null), password: hash }
      return store.users.create(user, creationEntry(actor, clock(), user))
    },

    /**
     * Creates a user without a password, for those who maintain accounts. With `isInvited`, a mail brings a link to set one.
     * @throws DomainError `not_superuser`, `invalid`, `username_taken`, `username_lookalike`, `email_taken`, and those of
     * `MakeOnce`
     */
    async invite(
      actor: Actor,
      { isInvited, ...request }: Omit<UserRequest, "password"> & { readonly isInvited: boolean },
      keyed?: KeyedRequest | null,
    ): Promise<User> {
      requireDuty(actor, "people")
      const fields = checkedUser({ ...withStoredAvatar(request), password: "" })
      const dept = await spelled(fields.dept, null)
      checkNewDept(actor, dept)
      const user = { ...fields, dept, password: hashing.unusableHash }
      const jobs = isInvited
        ? [mailJobs.of(invitationKind, { email: user.email, ...inviterOf(actor) } satisfies MailRequest)]
        : []
      const id = await makeOnce<number>(keyed, async (once) => {
        const created = await addressNamed(
          store.users.create(
            user,
            creationEntry(actor, clock(), user),
            jobs,
            alsoMaking(once, ({ id }) => id),
          ),
        )
        return created.id
      })
      mailJobs.wake()
      const [created] = await store.users.byIds([id])
      if (!created) throw new Error(`user ${id}, who was created, is missing`)
      return created
    },

    /**
     * Creates a user for whom another system vouches. The account has no password until the user sets one.
     * @throws DomainError `invalid`, `username_taken`, `username_lookalike`, `integrity` (a taken e-mail address)
     */
    async createWithoutPassword(origin: Origin, request: Omit<UserRequest, "password">): Promise<User> {
      const fields = checkedUser({ ...withStoredAvatar(request), password: "" })
      const user = { ...fields, dept: await spelled(fields.dept, null), password: hashing.unusableHash }
      return store.users.create(user, creationEntry(origin, clock(), user))
    },

    /** Overwrites avatar and bio (docs/interface/users.md). The guard `toProfile` decides who may.
     *  @throws DomainError `invalid` */
    async updateProfile(target: User, profile: Profile, origin: Origin): Promise<User> {
      return store.users.updateProfile(
        target.id,
        checkedProfile(withStoredAvatar(profile)),
        profileEntry(origin, clock()),
      )
    },

    /**
     * Changes the user's own name, avatar, bio, birthday and whether to celebrate, as far as they are given. Only a
     * superuser may take a name that looks like another person's.
     * @throws DomainError `invalid`, `name_lookalike`
     */
    async updateOwnProfile(user: User, change: ProfileChange, origin: Origin): Promise<User> {
      const checked = checkedChange(withStoredAvatar(change))
      if (Object.keys(checked).length === 0) return user
      const namesakes = isSuperuser(user) ? "allow" : "refuse"
      return store.users.updateProfile(user.id, checked, profileEntry(origin, clock()), namesakes)
    },

    /** Stores a picture and makes it the avatar of the user.
     *  @throws DomainError `invalid` */
    async saveAvatar(user: User, bytes: Uint8Array<ArrayBuffer>, origin: Origin): Promise<User> {
      const picture = { kind: checkedPicture(bytes, "avatar"), bytes, hash: sha256(bytes) }
      return store.users.saveAvatar(user.id, picture, profileEntry(origin, clock()))
    },

    /**
     * Corrects username, name, e-mail address, department, birthday, first day, manager and duties, as far as they are given.
     * Sessions and tokens stay valid under a new username, and nobody else gets the former one for a year. A new department and new
     * duties take effect at once. Somebody who becomes a superuser, or stops being one, has no duties then. A new address ends refresh tokens, and the links in earlier mails. Only superusers give duties.
     * @throws DomainError `not_superuser`, `address_fixed`, `invalid`, `erased`, `username_taken`, `username_lookalike`,
     * `email_taken`, `manager_cycle`
     */
    async correct(actor: Actor, target: User, correction: Correction): Promise<User> {
      if (correction.duties === undefined) requireMaintainer(actor, target)
      else requireSuperuser(actor)
      const { name = target.name, email = target.email, dept = target.dept } = correction
      const username = changedUsername(target, correction.username)
      const renamed = name === target.name ? undefined : name
      const readdressed = email === target.email ? undefined : email
      if (renamed !== undefined) checkField("name", renamed)
      if (readdressed !== undefined) await checkAddress(actor, target, readdressed)
      const department = dept === target.dept ? dept : await spelled(checkedDept(dept), target)
      checkMove(target, department)
      checkNewDept(actor, department)
      const moved = department === target.dept ? undefined : department
      const birthday = correction.birthday === target.birthday ? undefined : correction.birthday
      const joined = correction.joined === target.joined ? undefined : correction.joined
      if (birthday != null) checkField("birthday", birthday)
      if (joined != null) checkField("joined", joined)
      const managed = await changedManager(actor, target, correction.manager)
      const duties = dutiesAfter(target, { dept: department, duties: correction.duties })
      const at = clock()
      const changed = {
        renamed: username === undefined ? undefined : { username, at, until: at + formerUsernameMs },
        name: renamed,
        email: readdressed,
        dept: moved,
        birthday,
        joined,
        managerId: managed?.id,
        duties,
      }
      if (Object.values(changed).every((value) => value === undefined)) return target
      if (target.erasedAt !== null) throw new DomainError("erased")
      return store.users.correct(target.id, changed, correctionEntries(actor, at, managed))
    },

    /**
     * Ends every session and token of `target`, or of everybody if it is null. Returns the number of sessions.
     * @throws DomainError `not_superuser`
     */
    async endAccess(actor: Actor, target: User | null): Promise<number> {
      requireSuperuser(actor)
      const about = target === null ? { detail: "everybody" } : { whom: target.username }
      return store.users.endAccess(target?.id ?? null, auditEntry(actor, clock(), "access_ended", about))
    },

    /**
     * Creates `admin` unless it exists; `before` is called first. An `admin` who still has the default e-mail address
     * gets `email`, unless somebody else has it.
     * @throws DomainError `user_not_found` when `admin` was removed or renamed in the database by hand
     */
    async ensureAdmin(
      { password, email }: { readonly password: string; readonly email: string },
      before: () => Promise<void>,
    ): Promise<void> {
      const origin = { who: null, way: "server" as const, address: null }
      const existing = await store.users.byUsername(adminUsername)
      if (existing) return readdress(existing, email, origin)
      await before()
      const admin = {
        username: adminUsername,
        name: "Admin",
        email,
        dept: managementDept,
        currency: defaultCurrency,
        avatar: null,
        bio: null,
        password: await hashing.hash(password, origin),
      }
      try {
        await store.users.create(admin, creationEntry(origin, clock(), admin))
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        if (error.code === "username_taken") return // another process has created `admin` at the same time
        // What is left of the old row takes the place of a new one.
        throw error.code === "username_lookalike" || error.code === "integrity" ? adminMissing() : error
      }
    },
  }

  /** The new manager; undefined when it stays as it is. @throws DomainError `not_superuser`, `invalid` */
  async function changedManager(actor: Actor, { managerId }: User, username: string | null | undefined) {
    if (username === undefined) return undefined
    const manager = username === null ? null : await store.users.byUsername(usernameKey(username))
    if (username !== null && manager === null) throw invalid("manager", "nobody has this username")
    if ((manager?.id ?? null) === managerId) return undefined
    if (manager !== null) await checkNewManager(store.users, actor, manager)
    if (manager !== null && !isActive(manager)) throw invalid("manager", hasLeft)
    const [before] = managerId === null ? [] : await store.users.byIds([managerId])
    return { id: manager?.id ?? null, before: before?.username ?? null, after: manager?.username ?? null }
  }

  async function readdress(admin: User, email: string, origin: Origin) {
    if (admin.email !== defaultAdminEmail || email === defaultAdminEmail) return
    try {
      await store.users.correct(admin.id, { email }, correctionEntries(origin, clock()))
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "email_taken")) throw error
    }
  }

  /** @throws DomainError `invalid`, `address_fixed` */
  async function checkAddress(actor: Actor, target: User, email: string) {
    if (isLimited(actor) && (await addressesFixed(store.users, [target]))(target))
      throw new DomainError("address_fixed")
    checkField("email", email)
  }

  /** @throws DomainError `invalid` */
  function withStoredAvatar<T extends { readonly avatar?: string | null | undefined }>(given: T): T {
    return given.avatar == null ? given : { ...given, avatar: storedAvatar(given.avatar, address.url) }
  }

  /** The spelling to store for a department. A `user` who is its only member may change the spelling. */
  async function spelled(dept: string, user: User | null): Promise<string> {
    const all = await allDepartments(store.people)
    const others = all.filter(({ name, people }) => name !== user?.dept || people > 1)
    return deptSpelling(others.map(({ name }) => name))(dept)
  }
}

/** The new username; undefined when it stays as it is. `admin` keeps it, because the command line sends points in this name.
 *  @throws DomainError `invalid` */
function changedUsername(target: User, given: string | undefined): string | undefined {
  const username = given === undefined ? target.username : usernameKey(given)
  if (username === target.username) return undefined
  if (target.username === adminUsername) throw invalid("username", `${adminUsername} keeps this username`)
  checkField("username", username)
  return username
}

/** Says that the address is taken, which the contract's POST /user/ does not. */
const addressNamed = (creating: Promise<User>): Promise<User> =>
  creating.catch((error: unknown) => {
    throw error instanceof DomainError && error.code === "integrity" ? new DomainError("email_taken") : error
  })

const adminMissing = () =>
  new DomainError("user_not_found", {
    detail:
      "User not found: admin, whom every installation has. It was removed or renamed in the database by hand: give its " +
      "row the username admin again, or restore a backup",
  })

/** The user `admin`. */
export async function theAdmin(users: Pick<UserStore, "byUsername">): Promise<User> {
  const admin = await users.byUsername(adminUsername)
  if (!admin) throw new Error(`${adminUsername} is missing`)
  return admin
}

/** `admin` must stay a superuser: the command line sends points in this name, and somebody must appoint superusers.
 *  @throws DomainError `invalid` */
export function checkMove({ username }: Pick<User, "username">, dept: string): void {
  if (username === adminUsername && dept !== managementDept)
    throw invalid("dept", `${adminUsername} stays in ${managementDept}`)
}

/** Whether an account may become active or inactive. `admin` must stay: the command line sends points in this name.
 *  @throws DomainError `invalid`, `erased` */
export function checkActive({ username, erasedAt }: User, active: boolean): void {
  if (!active && username === adminUsername) throw invalid("active", `${adminUsername} stays active`)
  if (active && erasedAt !== null) throw new DomainError("erased")
}
