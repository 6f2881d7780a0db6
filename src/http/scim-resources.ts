import SCIMMY from "scimmy"
import { isActive } from "../domain/model.ts"
import {
  maxProvisionedPage,
  type ProvisionedFields,
  type ProvisionedFilter,
  type ProvisionedUser,
} from "../domain/people/provisioning.ts"
import { ScimError, scimPath } from "./scim-errors.ts"

/*
 * SCIM's representation of users (RFC 7643 and 7644). The library parses filters and paths, applies patches and knows the schemas.
 * It takes 50 ms to load, so only the first request to /scim/v2 imports this file.
 */

const { Filter } = SCIMMY.Types
const { ListResponse, PatchOp } = SCIMMY.Messages
const { User, EnterpriseUser } = SCIMMY.Schemas
// A cast, because the declared type is that of an instance.
User.extend(EnterpriseUser as never, false)

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
const maxFilterLength = 1000
/** Operations of a patch, or values of an attribute. The library takes up to 0.1 ms for each. */
const maxListLength = 200

type Json = Readonly<Record<string, unknown>>

/** `url` is the address of this server. */
export function userResource({ user, externalId }: ProvisionedUser, url: string): object {
  const attributes = attributesOf({ user, externalId })
  const name = { ...attributes.name, ...partsOf(user.name) }
  return new User({ ...attributes, name }, "out", `${url}${scimPath}/Users`)
}

/**
 * The parts of the name. A guess, because only the whole name is stored; Okta requires that neither part is empty. A patch
 * does not start from them.
 */
function partsOf(name: string): { readonly givenName: string; readonly familyName: string } {
  const words = name.split(" ")
  const familyName = words.at(-1) ?? name
  return { givenName: words.slice(0, -1).join(" ") || familyName, familyName }
}

export const listOf = (resources: readonly object[], startIndex: number, totalResults: number): object =>
  new ListResponse([...resources] as never, { startIndex, itemsPerPage: resources.length, totalResults })

/** The fields of a new account, or of one that is replaced. @throws ScimError */
export function fieldsOf(body: unknown, before: ProvisionedUser | null): ProvisionedFields {
  const resource = accepted(() => new User(withBooleans(body), "in")) as unknown as Resource
  return fieldsIn(resource, nameIn(resource) ?? before?.user.name ?? resource.userName ?? "", before)
}

/** The fields of an account after a patch. @throws ScimError */
export async function patchedFields(body: unknown, before: ProvisionedUser): Promise<ProvisionedFields> {
  const { Operations: operations, ...message } = plainObject(body)
  if (!Array.isArray(operations)) throw new ScimError("invalidSyntax", "Operations: a list of operations")
  checkLength(operations)
  const stored = operations.flatMap(storedOperation)
  const source = new User(attributesOf(before), "in")
  const patch = accepted(() => new PatchOp({ ...message, Operations: operations.map(withBooleans) } as never))
  patch.Operations = stored as never
  const patched = ((await acceptedLater(() => patch.apply(source))) ?? attributesOf(before)) as unknown as Resource
  return fieldsIn(patched, changedName(patched, before.user.name), before)
}

function fieldsIn(resource: Resource, name: string, before: ProvisionedUser | null): ProvisionedFields {
  const username = resource.userName ?? before?.user.username ?? ""
  return {
    username,
    name,
    email: emailIn(resource) ?? before?.user.email ?? addressIn(username),
    dept: resource[enterprise]?.department ?? null,
    externalId: resource.externalId ?? null,
    isActive: resource.active ?? (before === null || isActive(before.user)),
  }
}

/** @throws ScimError `invalidFilter` */
export function filterOf(text: string): ProvisionedFilter {
  const [conditions, ...others] = alternativesIn(text)
  if (!conditions || others.length > 0) throw unsupportedFilter()
  const filter: Record<string, string | boolean> = {}
  for (const [attribute, condition] of Object.entries(conditions)) {
    const [key, value] = conditionOf(attribute.toLowerCase(), condition)
    filter[key] = value
  }
  const { isActive: activity, ...identifying } = filter
  if (Object.keys(identifying).length === 0) throw unsupportedFilter()
  return filter
}

/**
 * The alternatives of a filter, each with the conditions that the library parses. The library does not decode texts (JSON's,
 * as RFC 7644 says), so it gets a placeholder instead of each. Without quotes it refuses what begins with `#`.
 * @throws ScimError `invalidFilter`
 */
function alternativesIn(filter: string): readonly Json[] {
  const texts: string[] = []
  const placeholder = (literal: string) => `"#${texts.push(JSON.parse(literal)) - 1}"`
  const restored = (_: string, value: unknown) =>
    typeof value === "string" && value.startsWith("#") ? texts[Number(value.slice(1))] : value
  if (!isPlain(filter)) throw unsupportedFilter()
  try {
    const template = filter.replace(textLiterals, placeholder)
    return JSON.parse(JSON.stringify([...new Filter(template)]), restored)
  } catch {
    throw unsupportedFilter()
  }
}

const textLiterals = /"(?:[^"\\]|\\.)*"/g

/**
 * Whether the library can parse this filter or path quickly. It expands alternatives, so that `(a or b) and (c or d) …`
 * doubles with each, and backslashes in an unterminated text take it a second.
 */
function isPlain(filter: string): boolean {
  if (filter.length > maxFilterLength) return false
  return !/["\\]|\b(or|not)\b/i.test(filter.replace(textLiterals, ""))
}

export const serviceProviderConfig = (url: string): object => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maxProvisionedPage },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    { type: "oauthbearertoken", name: "API token", description: "An API token of scope admin", primary: true },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${url}${scimPath}/ServiceProviderConfig` },
})

/** A resource that describes the interface, such as a schema, with its id. */
export interface Described {
  readonly id: string
}

export const schemas = (url: string): readonly Described[] =>
  [User.definition, EnterpriseUser.definition].map((definition) => definition.describe(`${url}${scimPath}/Schemas`))

export const resourceTypes = (url: string): readonly (Described & Json)[] => [
  {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: "User",
    name: "User",
    endpoint: "/Users",
    description: "User Account",
    schema: User.definition.id,
    schemaExtensions: [{ schema: enterprise, required: false }],
    meta: { resourceType: "ResourceType", location: `${url}${scimPath}/ResourceTypes/User` },
  },
]

/** A user as the library represents it. */
interface Resource {
  readonly userName?: string
  readonly externalId?: string
  readonly displayName?: string
  readonly name?: { readonly formatted?: string; readonly givenName?: string; readonly familyName?: string }
  readonly emails?: readonly { readonly value?: string; readonly type?: string; readonly primary?: boolean }[]
  readonly active?: boolean
  readonly "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"?: { readonly department?: string }
}

const attributesOf = ({ user, externalId }: ProvisionedUser) => ({
  id: String(user.id),
  ...(externalId !== null && { externalId }),
  userName: user.username,
  displayName: user.name,
  name: { formatted: user.name },
  emails: [{ value: user.email, type: "work", primary: true }],
  active: isActive(user),
  [enterprise]: { department: user.dept },
  meta: { resourceType: "User" },
})

function nameIn({ displayName, name }: Resource): string | undefined {
  return displayName || name?.formatted || joined(name)
}

/**
 * The name in a patched user that has changed: the display name, or the parts of the name, which count only together
 * because they are not stored.
 */
function changedName({ displayName, name }: Resource, before: string): string {
  const isNew = (text: string | undefined): text is string => text !== undefined && text !== "" && text !== before
  if (isNew(displayName)) return displayName
  if (isNew(name?.formatted)) return name.formatted
  return name?.givenName && name.familyName ? (joined(name) ?? before) : before
}

const joined = (name: Resource["name"]): string | undefined =>
  [name?.givenName, name?.familyName].filter((part) => part).join(" ") || undefined

/** The address. Of several primary ones, the one that was added last. */
const emailIn = ({ emails = [] }: Resource): string | undefined =>
  (emails.findLast(({ primary }) => primary) ?? emails.find(({ type }) => type === "work") ?? emails[0])?.value

/** @throws ScimError `invalidValue` */
function addressIn(userName: string): string {
  if (userName.includes("@")) return userName
  throw new ScimError("invalidValue", "emails: an address is required")
}

const storedAttributes = ["username", "externalid", "displayname", "name", "emails", "active"]

/**
 * The parts of an operation that concern stored attributes, each with its path: without a path, the library would add to a
 * list instead of replacing it. Directories also send titles, telephones and addresses.
 */
function storedOperation(given: unknown): readonly object[] {
  const operation = withBooleans(given)
  const { path, value, ...rest } = operation
  if (path !== undefined) return typeof path !== "string" || isStored(path) ? [operation] : []
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [operation]
  return Object.entries(value)
    .filter(([attribute]) => isStored(attribute))
    .map(([attribute, inside]) => ({ ...rest, path: attribute, value: inside }))
}

/** @throws ScimError `invalidPath` when SCIM knows no such attribute */
function isStored(path: string): boolean {
  const bare = isPlain(path) ? path.replace(/\[[^\]]*\]/g, "") : ""
  const lower = bare.toLowerCase()
  if (lower.startsWith(enterprise.toLowerCase())) return ["", ":department"].includes(lower.slice(enterprise.length))
  const [attribute = ""] = lower.replace(`${User.definition.id.toLowerCase()}:`, "").split(".")
  if (storedAttributes.includes(attribute)) return true
  try {
    User.definition.attribute(bare)
  } catch {
    throw new ScimError("invalidPath", "path: no such attribute")
  }
  return false
}

/** Microsoft Entra sends "True" and "False". */
function withBooleans(given: unknown): Record<string, unknown> {
  const { path } = plainObject(given)
  const isFlag = (name: string) => /^(active|primary)$/i.test(name)
  const converted = (name: string, value: unknown): unknown => {
    if (isFlag(name) && typeof value === "string" && /^(true|false)$/i.test(value))
      return value.toLowerCase() === "true"
    if (Array.isArray(value)) {
      checkLength(value)
      return value.map((one) => converted(name, one))
    }
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, converted(key, inside)]))
  }
  return Object.fromEntries(
    Object.entries(plainObject(given)).map(([key, value]) => [
      key,
      converted(key === "value" && typeof path === "string" ? path : key, value),
    ]),
  )
}

/** @throws ScimError `invalidValue` */
function checkLength(list: readonly unknown[]) {
  if (list.length > maxListLength) throw new ScimError("invalidValue", `lists: at most ${maxListLength} items`)
}

/** @throws ScimError `invalidSyntax` */
function plainObject(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ScimError("invalidSyntax", "an object is required")
  return { ...value }
}

/** @throws ScimError `invalidFilter` */
function conditionOf(attribute: string, condition: unknown): readonly [keyof ProvisionedFilter, string | boolean] {
  if (attribute === "emails" && !Array.isArray(condition)) {
    const { type = ["eq", "work"], value, ...rest } = plainObject(condition)
    if (Object.keys(rest).length > 0 || equalTo(type) !== "work") throw unsupportedFilter()
    return ["email", textIn(equalTo(value))]
  }
  const wanted = equalTo(condition)
  if (attribute === "id") return ["id", textIn(wanted)]
  if (attribute === "username") return ["username", textIn(wanted)]
  if (attribute === "externalid") return ["externalId", textIn(wanted)]
  if (attribute === "active" && typeof wanted === "boolean") return ["isActive", wanted]
  throw unsupportedFilter()
}

function equalTo(condition: unknown): unknown {
  if (!Array.isArray(condition) || condition.length !== 2 || condition[0] !== "eq") throw unsupportedFilter()
  return condition[1]
}

function textIn(value: unknown): string {
  if (typeof value !== "string") throw unsupportedFilter()
  return value
}

const unsupportedFilter = () =>
  new ScimError(
    "invalidFilter",
    "filter: userName, externalId, id or emails.value with eq; also with active, joined by and",
  )

/** Turns an error of the library into a ScimError. */
function accepted<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw refusalOf(error)
  }
}

async function acceptedLater<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw refusalOf(error)
  }
}

function refusalOf(error: unknown): Error {
  if (error instanceof SCIMMY.Types.Error && isKnownType(error.scimType))
    return new ScimError(error.scimType, error.message)
  return error instanceof TypeError ? new ScimError("invalidValue", error.message) : (error as Error)
}

const knownTypes = ["invalidPath", "invalidSyntax", "invalidValue", "mutability", "noTarget"] as const
const isKnownType = (type: unknown): type is (typeof knownTypes)[number] => knownTypes.some((known) => known === type)
