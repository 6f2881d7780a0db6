import { isActive } from "../../domain/people/model.ts"
import type { ProvisionedFields, ProvisionedFilter, ProvisionedUser } from "../../domain/people/provisioning.ts"
import { conditionsIn, type Path, pathOrNone } from "./paths.ts"
import { core, enterprise, patchOp } from "./schemas.ts"
import { ScimError } from "./scim-errors.ts"

/*
 * What a directory asks for (RFC 7644). Directories send much that is not stored here, with names and values in other forms than
 * the RFC has. Because little is stored, a request is read into a `Draft`, one attribute after the other.
 */

/** Operations of a patch. */
export const maxOperations = 200
/** Addresses of a user, at any time during a patch: an operation may change all that the ones before it have added. */
export const maxEmails = 20

/** What a request states. Null: unassigned; undefined: not stated. */
interface Draft {
  userName?: string | null
  externalId?: string | null
  displayName?: string | null
  formatted?: string | null
  givenName?: string | null
  familyName?: string | null
  emails: readonly Email[]
  active?: boolean | null
  department?: string | null
  manager?: string | null
}

interface Email {
  readonly value?: string | null
  readonly type?: string | null
  readonly primary?: boolean | null
  /** Set for the stored address while a patch has not changed it. */
  readonly isStored?: boolean
}

/** @throws ScimError `invalidFilter` */
export function filterOf(text: string): ProvisionedFilter {
  const texts = new Map<string, string>()
  let active: boolean | undefined
  for (const { name, value } of conditionsIn(text, "invalidFilter")) {
    // Every stored address is the primary one, of this type.
    if ((name === "emails.type" && value === "work") || (name === "emails.primary" && value === true)) continue
    if (name === "active" && typeof value === "boolean" && active === undefined) active = value
    else if (ofManager.includes(name) && typeof value === "string") texts.set("manager", value)
    else if (filtered.includes(name) && typeof value === "string" && !texts.has(name)) texts.set(name, value)
    else throw unsupportedFilter()
  }
  if (!filtered.some((name) => texts.has(name))) throw unsupportedFilter()
  return {
    id: texts.get("id"),
    username: texts.get("username"),
    externalId: texts.get("externalid"),
    email: texts.get("emails.value"),
    isActive: active,
    manager: texts.get("manager"),
  }
}

const filtered = ["id", "username", "externalid", "emails.value"]
/** Microsoft Entra asks whether a user has a certain manager. */
const ofManager = ["", `${enterprise.toLowerCase()}.`].flatMap((prefix) => [
  `${prefix}manager`,
  `${prefix}manager.value`,
])

const unsupportedFilter = () =>
  new ScimError(
    "invalidFilter",
    "filter: userName, externalId, id or emails.value with eq; also with active and manager, joined by and",
  )

/** The fields of a new account, or of one that is replaced. @throws ScimError */
export function fieldsOf(body: unknown, before: ProvisionedUser | null): ProvisionedFields {
  const draft: Draft = { emails: [] }
  changeAll(draft, "replace", messageIn(body, core))
  const name = draft.displayName || draft.formatted || joinedName(draft)
  return fieldsIn(draft, name || before?.user.name || draft.userName || "", before)
}

/**
 * Whether the body of a PUT or PATCH deactivates the account. It reads nothing else and refuses nothing, because whoever
 * leaves must lose the access, whatever else a directory sends beside it.
 */
export function deactivates(body: unknown): boolean {
  const members = membersOrNone(body)
  const operations = [members.get("operations")].flat().map((operation) => membersOrNone(operation))
  const stated = operations
    .filter((operation) => wordIn(operation.get("op")).trim() !== "remove")
    .flatMap((operation) => {
      const path = operation.get("path")
      const value = operation.get("value")
      if (typeof path === "string") return activeIn(new Map([[path.trim(), value]]))
      return [value].flat().flatMap((one) => activeIn(membersOrNone(one)))
    })
  return [...activeIn(members), ...stated].at(-1) === false
}

/** What these attributes say of `active`, in their order. */
function activeIn(attributes: Members): boolean[] {
  return [...attributes].flatMap(([name, value]) => {
    const path = pathOrNone(name)
    if (path?.sub !== null || path.filter !== null) return []
    if (path.attribute === "") return activeIn(membersOrNone(value))
    return path.attribute === "active" ? (flagOrNone(value) ?? []) : []
  })
}

/** The fields of an account after a patch. @throws ScimError */
export function patchedFields(body: unknown, before: ProvisionedUser): ProvisionedFields {
  const operations = messageIn(body, patchOp).get("operations")
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError("invalidSyntax", "Operations: a list of at least one operation")
  if (operations.length > maxOperations) throw new ScimError("invalidValue", `Operations: at most ${maxOperations}`)
  const { user, externalId } = before
  const draft: Draft = {
    userName: user.username,
    externalId,
    emails: [{ value: user.email, type: "work", primary: true, isStored: true }],
    active: isActive(user),
    department: user.dept,
  }
  for (const operation of operations) apply(draft, objectIn(operation))
  return fieldsIn(draft, changedName(draft, user.name), before)
}

function fieldsIn(draft: Draft, name: string, before: ProvisionedUser | null): ProvisionedFields {
  const username = draft.userName ?? before?.user.username
  if (username === undefined) throw new ScimError("invalidValue", "userName: required")
  return {
    username,
    name,
    email: emailOf(draft) ?? before?.user.email ?? addressIn(username),
    dept: draft.department,
    managerId: draft.manager,
    externalId: draft.externalId ?? null,
    isActive: draft.active ?? (before === null || isActive(before.user)),
  }
}

/**
 * The name after a patch: the display name if it is new, else the whole name. The parts count only without these, and only
 * together, because they are not stored.
 */
function changedName(draft: Draft, before: string): string {
  const stated = [draft.displayName, draft.formatted].filter((name) => name)
  if (stated.length > 0) return stated.find((name) => name !== before) ?? before
  return (draft.givenName && draft.familyName && joinedName(draft)) || before
}

const joinedName = ({ givenName, familyName }: Draft): string => [givenName, familyName].filter(Boolean).join(" ")

/** The address. Of several primary ones, the one that was added last. */
function emailOf({ emails }: Draft): string | undefined {
  const given = emails.filter(({ value }) => value)
  const chosen = given.findLast(({ primary }) => primary) ?? given.find(({ type }) => type === "work") ?? given[0]
  return chosen?.value ?? undefined
}

/** @throws ScimError `invalidValue` */
function addressIn(userName: string): string {
  if (userName.includes("@")) return userName
  throw new ScimError("invalidValue", "emails: an address is required")
}

type Operation = "add" | "replace" | "remove"

/** @throws ScimError */
function apply(draft: Draft, given: Members): void {
  const op = operationIn(given.get("op"))
  const path = given.get("path") ?? null
  const value = op === "remove" ? null : given.get("value")
  const target = path === null ? null : writablePath(path)
  if (value === undefined) throw new ScimError("invalidValue", "value: required to add or replace")
  if (target !== null) change(draft, op, target, value)
  else if (op === "remove") throw new ScimError("noTarget", "path: required to remove")
  else changeAll(draft, op, objectIn(value, "invalidValue"))
}

/** @throws ScimError `invalidSyntax` */
function operationIn(op: unknown): Operation {
  const word = wordIn(op)
  const known = (["add", "replace", "remove"] as const).find((one) => one === word)
  if (known === undefined) throw new ScimError("invalidSyntax", "op: add, replace or remove")
  return known
}

/** Changes the attributes that are named. */
function changeAll(draft: Draft, op: Operation, members: Members): void {
  for (const [name, value] of members) {
    const path = pathOrNone(name)
    if (path !== null) change(draft, op, path, value)
  }
}

/** Changes one attribute. Attributes that are not stored are ignored; removed ones have the value null. */
function change(draft: Draft, op: Operation, { attribute, sub, filter }: Path, value: unknown): void {
  const isWhole = sub === null && filter === null
  if (attribute === "") changeAll(draft, op, objectIn(value, "invalidValue"))
  else if (attribute === "username" && isWhole) draft.userName = textIn("userName", value)
  else if (attribute === "externalid" && isWhole) draft.externalId = textIn("externalId", value)
  else if (attribute === "displayname" && isWhole) draft.displayName = textIn("displayName", value)
  else if (attribute === "active" && isWhole) draft.active = flagIn("active", value)
  else if (attribute === "name") {
    const parts = partsIn(sub, value, ["formatted", "givenname", "familyname"])
    if (parts.has("formatted")) draft.formatted = textIn("name.formatted", parts.get("formatted"))
    if (parts.has("givenname")) draft.givenName = textIn("name.givenName", parts.get("givenname"))
    if (parts.has("familyname")) draft.familyName = textIn("name.familyName", parts.get("familyname"))
  } else if (attribute === extension) {
    const parts = partsIn(sub, value, ["department", "manager"])
    if (parts.has("department")) draft.department = textIn("department", parts.get("department"))
    const given = parts.has("manager") ? parts.get("manager") : managerPartsIn(parts)
    const manager = given === undefined ? undefined : managerIn(given)
    if (manager !== undefined) draft.manager = manager
  } else if (attribute === "emails") {
    draft.emails = changedEmails(draft.emails, op, sub, filter, value)
    if (draft.emails.length > maxEmails) throw new ScimError("invalidValue", `emails: at most ${maxEmails}`)
  }
}

/** The parts of a manager that are named one by one, as an object; undefined if there is none. */
function managerPartsIn(parts: Members): object | undefined {
  const named = ["value", "$ref"].filter((part) => parts.has(`manager.${part}`))
  return named.length === 0 ? undefined : Object.fromEntries(named.map((part) => [part, parts.get(`manager.${part}`)]))
}

/** The id of a manager, null for nobody; undefined if nothing is said. Microsoft Entra also sends the id alone, or in a list.
 *  @throws ScimError `invalidValue` */
function managerIn(value: unknown): string | null | undefined {
  const [given = null, ...others] = Array.isArray(value) ? value : [value]
  if (others.length > 0) throw new ScimError("invalidValue", "manager: at most one")
  if (given === null || typeof given === "string") return textIn("manager.value", given)
  const parts = objectIn(given, "invalidValue")
  if (!parts.has("value") && !parts.has("$ref")) return undefined
  const id = textIn("manager.value", parts.get("value"))
  const address = textIn("manager.$ref", parts.get("$ref"))
  if (address === null) return id
  const [, addressed] = /^(?:.*\/)?Users\/([^/?#]+)$/i.exec(address) ?? []
  if (addressed === undefined) throw new ScimError("invalidValue", "manager.$ref: the address of a user")
  if (id !== null && id !== addressed) throw new ScimError("invalidValue", "manager: value and $ref name two users")
  return addressed
}

/** The parts of a complex attribute that an operation names: one, those of an object, or `all` of them if it is unassigned. */
function partsIn(sub: string | null, value: unknown, all: readonly string[]): Members {
  if (sub !== null) return new Map([[sub, value]])
  return value === null ? new Map(all.map((part) => [part, null])) : objectIn(value, "invalidValue")
}

function changedEmails(
  before: readonly Email[],
  op: Operation,
  sub: string | null,
  filter: string | null,
  value: unknown,
): readonly Email[] {
  if (sub === null && filter === null) return op === "add" ? [...before, ...emailsIn(value)] : emailsIn(value)
  const conditions = filter === null ? [] : conditionsIn(filter, "invalidPath")
  const isMeant = (email: Email) =>
    conditions.every(({ name, value: wanted }) => {
      return (name === "value" || name === "type" || name === "primary") && isSame(email[name], wanted)
    })
  if (op === "remove" && sub === null) return before.filter((email) => !isMeant(email))
  const changed = emailIn(partsIn(sub, value, []))
  if (op === "remove" || before.some(isMeant))
    return before.map((email) =>
      isMeant(email) ? { ...email, ...changed, isStored: email.isStored === true && !changed.value } : email,
    )
  const described = emailIn(new Map(conditions.map(({ name, value }) => [name, value])))
  if (op === "replace" && described.value) throw new ScimError("noTarget", "path: no address matches the filter")
  // The type is not stored: the one address answers to whichever type the directory gives it.
  const others = changed.value && described.primary !== false ? before.filter(({ isStored }) => !isStored) : before
  return [...others, { ...described, ...changed }]
}

const isSame = (one: unknown, other: unknown): boolean => `${one}`.toLowerCase() === `${other}`.toLowerCase()

function emailsIn(value: unknown): readonly Email[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter((one) => one != null).map((one) => emailIn(objectIn(one, "invalidValue")))
}

const emailIn = (parts: Members): Email => ({
  ...(parts.has("value") && { value: textIn("emails.value", parts.get("value")) }),
  ...(parts.has("type") && { type: textIn("emails.type", parts.get("type")) }),
  ...(parts.has("primary") && { primary: flagIn("emails.primary", parts.get("primary")) }),
})

const extension = enterprise.toLowerCase()

/** @throws ScimError `invalidPath`, `mutability` */
function writablePath(text: unknown): Path {
  const path = typeof text === "string" ? pathOrNone(text) : null
  if (path === null) throw new ScimError("invalidPath", "path: the name of an attribute")
  const { attribute, sub } = path
  if (attribute === "id" || attribute === "meta" || (attribute === extension && sub === "manager.displayname"))
    throw new ScimError("mutability", `${text}: read-only`)
  return path
}

// Values

/** The members of an object, by their names in lower case. */
type Members = ReadonlyMap<string, unknown>

/** @throws ScimError `refusal` */
function objectIn(value: unknown, refusal: "invalidSyntax" | "invalidValue" = "invalidSyntax"): Members {
  if (!isObject(value)) throw new ScimError(refusal, "an object is required")
  return membersOrNone(value)
}

/** No members where `value` is no object. */
const membersOrNone = (value: unknown): Members =>
  new Map(isObject(value) ? Object.entries(value).map(([name, inside]) => [name.toLowerCase(), inside]) : [])

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * The members of a request that states this schema, or none: directories leave it out, and add others.
 * @throws ScimError `invalidSyntax`
 */
function messageIn(body: unknown, schema: string): Members {
  const members = objectIn(body)
  const schemas = members.get("schemas") ?? [schema]
  const isStated = (one: unknown) => typeof one === "string" && one.toLowerCase() === schema.toLowerCase()
  if (!Array.isArray(schemas) || !schemas.every((one) => typeof one === "string") || !schemas.some(isStated))
    throw new ScimError("invalidSyntax", `schemas: a list of texts with ${schema}`)
  return members
}

const wordIn = (value: unknown): string => (typeof value === "string" ? value.toLowerCase() : "")

/** An empty text counts as none. @throws ScimError `invalidValue` */
function textIn(name: string, value: unknown): string | null {
  if (value == null || value === "") return null
  if (typeof value !== "string") throw new ScimError("invalidValue", `${name}: a text`)
  return value
}

/** @throws ScimError `invalidValue` */
function flagIn(name: string, value: unknown): boolean | null {
  if (value == null || value === "") return null
  const flag = flagOrNone(value)
  if (flag === null) throw new ScimError("invalidValue", `${name}: true or false`)
  return flag
}

/** Microsoft Entra sends "True" and "False"; directories also send a flag as an object with `value`, or in a list. */
function flagOrNone(value: unknown): boolean | null {
  if (typeof value === "boolean") return value
  if (Array.isArray(value)) return value.length === 1 ? flagOrNone(value[0]) : null
  if (typeof value === "object") return flagOrNone(membersOrNone(value).get("value") ?? "")
  const word = wordIn(value).trim()
  return word === "true" || word === "false" ? word === "true" : null
}
