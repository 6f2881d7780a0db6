import { type Day, dateOf } from "../calendar.ts"
import { invalid } from "../errors.ts"
import { checkLine, checkMarks, checkText, isLine, isLongerThan, normalized } from "../text.ts"
import { isAvatarPath, maxAvatarLength } from "./avatars.ts"
import type { NewUser, Profile, ProfileChange } from "./model.ts"

export const defaultCurrency = "USD"

/** The address of `admin` until somebody names another one. No mail reaches it. */
export const defaultAdminEmail = "admin@localhost"

/** Greatest lengths, in characters; for a password in bytes. The browser app has its own copies, in the limits of its
 *  forms and in the translations of refusals. */
export const maxLengths = {
  username: 64,
  email: 254,
  name: 100,
  dept: 100,
  currency: 16,
  bio: 2000,
  avatar: maxAvatarLength,
  passwordBytes: 1024,
} as const

/** Names that are segments of paths in the interface. In lower case. */
const reservedUsernames = new Set(["ws", "pwd_reset_token", ".", ".."])

/** The body of POST /user/, not yet checked. */
export interface UserRequest {
  readonly name: string
  readonly email: string
  readonly dept: string
  readonly password: string
  readonly currency?: string | undefined
  readonly username?: string | null | undefined
  readonly avatar?: string | null | undefined
  readonly bio?: string | null | undefined
}

/** The username of a user who is created without one (docs/interface/users.md): the name in lower case, with one hyphen
 *  for each run of white space. */
export function usernameFrom(name: string): string {
  const lower = normalized(name, "NFC", maxLengths.name).trim().toLowerCase()
  return normalized(lower.replace(/\s+/gu, "-"), "NFC", maxLengths.name)
}

/** Usernames are compared in NFC, because keyboards differ in how they compose letters. */
export const usernameKey = (username: string): string => normalized(username, "NFC", maxLengths.username)

/** Equal for usernames that differ only in case. */
export const usernameCaseKey = (username: string): string => caseless(usernameKey(username))

/** E-mail addresses are unique without regard to case. */
export const emailKey = (email: string): string => caseless(email)

/** `ς` counts as `σ`, because the lower case of Σ depends on its place in the word. */
const caseless = (text: string): string => text.toLowerCase().replaceAll("ς", "σ")

/** The new user that a request describes, with all fields checked except the password, which auth/passwords.ts checks.
 *  @throws DomainError `invalid`, naming the field and its rule, never the value */
export function checkedUser(request: UserRequest): NewUser {
  const { username: given, currency = defaultCurrency } = request
  checkLine("name", request.name, maxLengths.name)
  const dept = checkedDept(request.dept)
  checkLine("currency", currency, maxLengths.currency)
  const username = given == null ? usernameFrom(request.name) : usernameKey(given)
  checkUsername(username)
  checkEmail(request.email)
  const { name, email, password } = request
  return { name, email, dept, password, currency, username, ...checkedProfile(request) }
}

/** @throws DomainError `invalid` */
export function checkedProfile({ avatar = null, bio = null }: Pick<UserRequest, "avatar" | "bio">): Profile {
  if (avatar !== null && !isAvatarPath(avatar)) checkAvatar(avatar)
  if (bio !== null) checkText("bio", bio, maxLengths.bio)
  return { avatar, bio }
}

type TextField = Exclude<keyof UserRequest, "password"> | "birthday" | "joined"

/** Checks one field; auth/passwords.ts checks the password.
 *  @throws DomainError `invalid` */
export function checkField(field: TextField, text: string): void {
  if (field === "username") checkUsername(text)
  else if (field === "email") checkEmail(text)
  else if (field === "avatar") checkAvatar(text)
  else if (field === "bio") checkText("bio", text, maxLengths.bio)
  else if (field === "birthday") checkBirthday(text)
  else if (field === "joined") checkJoined(text)
  else checkLine(field, text, maxLengths[field])
}

/** The fields that are present, checked.
 *  @throws DomainError `invalid` */
export function checkedChange({ name, ...profile }: ProfileChange): ProfileChange {
  if (name !== undefined) checkLine("name", name, maxLengths.name)
  if (profile.birthday != null) checkBirthday(profile.birthday)
  checkedProfile(profile)
  return Object.fromEntries(Object.entries({ name, ...profile }).filter(([, value]) => value !== undefined))
}

/** @throws DomainError `invalid` */
export function checkedDept(dept: string, field = "dept"): string {
  checkLine(field, dept, maxLengths.dept)
  return dept
}

function checkUsername(username: string) {
  const { username: max } = maxLengths
  if (isLongerThan(username, max) || username.trim() === "") throw invalid("username", `1 to ${max} characters`)
  if (!isLine(username) || /[/?#%\\]/.test(username))
    throw invalid("username", "no invisible characters and none of / ? # % \\")
  checkMarks("username", username)
  if (reservedUsernames.has(normalized(username, "NFKC", max).toLowerCase()))
    throw invalid("username", "this name is reserved")
}

function checkEmail(email: string) {
  const plainAddress = /^[^\s@<>()[\],;:\\"]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u
  if (isLongerThan(email, maxLengths.email) || !isLine(email) || !plainAddress.test(email))
    throw invalid("email", `one plain address of at most ${maxLengths.email} characters`)
  checkMarks("email", email)
}

/** Without a year, which is nobody's business. */
function checkBirthday(birthday: string) {
  if (!/^\d\d-\d\d$/.test(birthday) || dateOf(`${leapYear}-${birthday}`) === null)
    throw invalid("birthday", "a day of the year, MM-DD")
}

/** A year with a 29th of February. */
const leapYear = 2000

/** The day may lie ahead, because accounts are made before people come. */
function checkJoined(joined: Day) {
  const date = dateOf(joined)
  if (date === null || date.year < 1900 || date.year > 2199) throw invalid("joined", "a day such as 2026-12-31")
}

function checkAvatar(avatar: string) {
  // The length of the host is checked before parsing, which normalizes it. Names in DNS have at most 253 characters.
  const isUrl = /^https?:\/\/[^\s/?#]{1,262}([/?#]\S*)?$/i
  if (isLongerThan(avatar, maxLengths.avatar) || !isLine(avatar) || !isUrl.test(avatar) || !URL.canParse(avatar))
    throw invalid("avatar", `an http or https address of at most ${maxLengths.avatar} characters`)
  checkMarks("avatar", avatar)
}
