import { isActive, type User } from "../../domain/people/model.ts"
import type { ProvisionedUser } from "../../domain/people/provisioning.ts"
import { pathOrNone } from "./paths.ts"
import { core, enterprise } from "./schemas.ts"
import { scimPath } from "./scim-errors.ts"

type Json = Readonly<Record<string, unknown>>

/** A user as SCIM represents it (RFC 7643, section 4). `url` is the address of this server. */
export const userResource = ({ user, externalId, manager }: ProvisionedUser, url: string): Json => ({
  schemas: [core, enterprise],
  id: String(user.id),
  ...(externalId !== null && { externalId }),
  userName: user.username,
  displayName: user.name,
  name: { formatted: user.name, ...partsOf(user.name) },
  emails: [{ value: user.email, type: "work", primary: true }],
  active: isActive(user),
  [enterprise]: {
    department: user.dept,
    ...(manager && {
      manager: { value: String(manager.id), $ref: locationOf(manager, url), displayName: manager.name },
    }),
  },
  meta: { resourceType: "User", location: locationOf(user, url) },
})

const locationOf = ({ id }: Pick<User, "id">, url: string): string => `${url}${scimPath}/Users/${id}`

/** The parts of the name. A guess, because only the whole name is stored; Okta requires that neither part is empty. */
function partsOf(name: string): { readonly givenName: string; readonly familyName: string } {
  const words = name.split(" ")
  const familyName = words.at(-1) ?? name
  return { givenName: words.slice(0, -1).join(" ") || familyName, familyName }
}

/** Query parameters that select attributes of an answer, separated by commas. */
interface Selection {
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

/** Reduces a resource to the attributes that the request wants. Every answer has `schemas` and `id`. */
export function selectorOf({ attributes, excludedAttributes }: Selection): (resource: Json) => Json {
  const names = attributes || excludedAttributes
  if (!names) return (resource) => resource
  const [whole, partly, parts] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const name of names.split(",")) {
    const path = pathOrNone(name.trim())
    if (path?.sub === null) whole.add(path.attribute)
    else if (path !== null) {
      partly.add(path.attribute)
      parts.add(`${path.attribute} ${path.sub.split(".")[0]}`) // parts of parts come and go together
    }
  }
  const wanted = Boolean(attributes)
  const keeps = (key: string) => (wanted ? whole.has(key) || partly.has(key) : !whole.has(key))
  const keepsPart = (key: string, part: string) => (wanted && whole.has(key)) || wanted === parts.has(`${key} ${part}`)

  function reduced(key: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => reduced(key, one))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).filter(([part]) => keepsPart(key, part.toLowerCase())))
  }
  return (resource) =>
    Object.fromEntries(
      Object.entries(resource)
        .filter(([key]) => key === "schemas" || key === "id" || keeps(key.toLowerCase()))
        .map(([key, value]) => [key, reduced(key.toLowerCase(), value)]),
    )
}
