import type { AuditEntry } from "../audit/ports.ts"
import type { Day } from "../calendar.ts"
import type { NewJob } from "../jobs/ports.ts"
import type { Abortable } from "../paging.ts"

/** What a superuser can give a regular user to do besides (docs/interface/duties.md), in the order in which it is stored. */
export const dutyNames = ["insights", "rewards", "people", "programme"] as const

export type Duty = (typeof dutyNames)[number]

/** A user as stored. Never sent as it is: each view picks the fields that its reader may see. */
export interface User {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly name: string
  readonly dept: string
  readonly currency: string
  readonly avatar: string | null
  readonly bio: string | null
  /** The day of the year, MM-DD, never with a year. */
  readonly birthday: string | null
  /** The first day at work; it may lie ahead. */
  readonly joined: Day | null
  /** Whether the person wants to be celebrated; null: they have not said, so their anniversaries are and their birthday is not. */
  readonly celebrates: boolean | null
  /** A bcrypt hash. */
  readonly password: string
  /** Raising it invalidates the user's access tokens: each names the version that it was signed with. */
  readonly accessVersion: number
  /**
   * The same for refresh tokens and reset tokens. Raised with a changed password or e-mail address; when all access, or all
   * other access, is ended; when a second factor is added, removed or reset; by deactivation, reactivation and erasure;
   * and by `rewards restore --end-sessions`.
   */
  readonly refreshVersion: number
  /** Hash of the one access token that stays valid after all others were ended; null for none. */
  readonly keptToken: string | null
  /**
   * When a superuser deactivated the account; null while it is active, also after a reactivation. No credential of an
   * inactive account is valid.
   */
  readonly deactivatedAt: number | null
  /** When the person's data was erased; null while it was not. An erased account stays inactive. */
  readonly erasedAt: number | null
  /** The person whom the user reports to, whose account is active; null for nobody. */
  readonly managerId: number | null
  /** Superusers and inactive accounts have none. */
  readonly duties: readonly Duty[]
}

/** Whether an account is active: what lists, files and directories say of it. */
export const isActive = ({ deactivatedAt }: Pick<User, "deactivatedAt">): boolean => deactivatedAt === null

/** The days of a person that others see: a birthday only of somebody who wants to be celebrated, the rest unless they do not. */
export const daysShown = ({ birthday, joined, celebrates }: Pick<User, "birthday" | "joined" | "celebrates">) => ({
  birthday: celebrates === true ? birthday : null,
  joined: celebrates === false ? null : joined,
})

/** Whether somebody is one of those who can be given points, suggested and written to. */
export const takesPart = (user: User | null | undefined): user is User =>
  user !== null && user !== undefined && isActive(user)

export type NewUser = Omit<
  User,
  | "id"
  | "accessVersion"
  | "refreshVersion"
  | "keptToken"
  | "deactivatedAt"
  | "erasedAt"
  | "birthday"
  | "joined"
  | "celebrates"
  | "managerId"
  | "duties"
> &
  Partial<Pick<User, "birthday" | "joined">>

/** A balance with its two pockets: what is earned (`redeemableOf` in ledger/pockets.ts), and the rest, which is the budget. */
export interface Pockets {
  readonly balance: number
  /** From 0 to the balance; 0 while the balance is negative. */
  readonly earned: number
}

/** A user's balance, in points. */
export type BalanceOf = (userId: number) => number

export interface UserWithBalance extends User {
  readonly balance: number
}

export interface Profile {
  readonly avatar: string | null
  readonly bio: string | null
}

/** Fields that are absent or undefined stay as they are. */
export interface ProfileChange {
  readonly name?: string | undefined
  readonly avatar?: string | null | undefined
  readonly bio?: string | null | undefined
  readonly birthday?: string | null | undefined
  readonly celebrates?: boolean | null | undefined
}

/** What somebody else corrects. Fields that are absent or undefined stay as they are. */
export interface Correction {
  readonly username?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly dept?: string | undefined
  readonly birthday?: string | null | undefined
  readonly joined?: Day | null | undefined
  /** A username; null for nobody. */
  readonly manager?: string | null | undefined
  /** Not yet checked. */
  readonly duties?: readonly string[] | undefined
}

/** A correction as it is stored. */
export interface StoredCorrection extends Omit<Correction, "username" | "manager" | "duties"> {
  /** The new username, and until when the former one is nobody else's. */
  readonly renamed?: { readonly username: string; readonly at: number; readonly until: number } | undefined
  readonly managerId?: number | null | undefined
  readonly duties?: readonly Duty[] | undefined
}

/** A username that somebody had before. */
export interface FormerUsername {
  readonly id: number
  readonly username: string
  /** Whose it was, as they are now. */
  readonly user: User
}

/** What the renaming of a department changed. */
export interface RenamedDept {
  /** Active members who moved. */
  readonly people: number
  /** Allowances for the department, without removed ones. */
  readonly allowances: number
}

/** Part of the data stored about a person. Rows have the columns of their table. */
export interface PersonalSlice {
  /** The name of the list that the rows belong to. */
  readonly list: string
  readonly rows: readonly object[]
}

/** How a person is erased. */
export interface Erasure {
  readonly at: number
  /** The new values of these fields. */
  readonly replacement: Pick<User, "username" | "name" | "email" | "password">
  readonly reasons: ErasedReasons
}

/** Which reasons of transactions are erased: none, those that the person wrote, or also those that they received. */
export const erasedReasons = ["none", "written", "all"] as const

export type ErasedReasons = (typeof erasedReasons)[number]

/** An uploaded avatar. */
export interface Picture {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  readonly kind: PictureKind
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type PictureKind = "png" | "jpeg" | "webp"

/** What a list shows of a person; everybody may see it. */
export type PersonSummary = Pick<User, "id" | "username" | "name" | "dept" | "avatar">

export interface Department {
  readonly name: string
  /** How many active people it has. */
  readonly people: number
}

export interface PeopleSearch extends Abortable {
  /** Folded as in people/people-search.ts. Empty: everybody. */
  readonly words: readonly string[]
  /** Null: every department. */
  readonly dept: string | null
  /** Only active accounts, only inactive ones, or (null) both. */
  readonly active: boolean | null
  /** `next` of the page before; null for the first page. */
  readonly after: PeopleCursor | null
  readonly size: number
}

export interface PeoplePage {
  readonly items: readonly PersonSummary[]
  /** Null on the last page. */
  readonly next: PeopleCursor | null
}

/** The last person of a page. It names a place in the order, so it stays valid while people come and change. */
export interface PeopleCursor {
  /** Which group of `PeopleStore.search` the person is in: false for the first, true for the second. */
  readonly isInnerMatch: boolean
  readonly key: string
  readonly id: number
}

/** Matches every user who has any of these. */
export interface UserKeys {
  readonly usernames: readonly string[]
  /** Compared without regard to case. */
  readonly emails: readonly string[]
}

/** A planned import: everything that its commit changes. */
export interface UserChanges {
  readonly create: readonly NewUser[]
  /** `before` is the user that the plan was made for. The password is not changed. Where `deactivatedAt` differs, all
   *  sessions and tokens end. */
  readonly update: readonly { readonly before: User; readonly after: User }[]
  /** New managers, by usernames that exist or are created. */
  readonly managers?: readonly { readonly username: string; readonly manager: string }[]
  readonly entries: readonly AuditEntry[]
  readonly jobs: readonly NewJob[]
}
