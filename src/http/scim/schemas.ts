import { maxProvisionedPage } from "../../domain/people/provisioning.ts"
import { scimPath } from "./scim-errors.ts"

/*
 * What SCIM says about itself (RFC 7643, sections 5 to 7). The schemas have only what is stored: a directory that reads them
 * learns what it can send.
 */

export const core = "urn:ietf:params:scim:schemas:core:2.0:User"
export const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
/** The schema of the body of a PATCH. */
export const patchOp = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

/** A resource that describes the interface, such as a schema, with its id. */
export interface Described {
  readonly id: string
}

type Attribute = Readonly<Record<string, unknown>>

const attribute = (name: string, description: string, more: Attribute = {}): Attribute => ({
  name,
  type: "string",
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...more,
})

/** `required` marks what every account has. A request may leave out what follows from something else. */
const definitions = [
  {
    id: core,
    name: "User",
    description: "An account",
    attributes: [
      attribute("userName", "The username; of somebody inactive it stays", { required: true, uniqueness: "server" }),
      attribute("displayName", "The name; by default the one in `name`, else the username", { required: true }),
      attribute("name", "The name again, and its parts; only the whole is stored", {
        required: true,
        type: "complex",
        subAttributes: [
          attribute("formatted", "The name", { required: true }),
          attribute("familyName", "In answers the last word of the name"),
          attribute("givenName", "In answers the words before the last"),
        ],
      }),
      attribute(
        "emails",
        "One address is stored: the primary one, else the one of type work; by default the username",
        {
          type: "complex",
          multiValued: true,
          required: true,
          subAttributes: [
            attribute("value", "The address", { required: true, uniqueness: "server" }),
            attribute("type", "In answers `work`", { canonicalValues: ["work"] }),
            attribute("primary", "In answers true", { type: "boolean" }),
          ],
        },
      ),
      attribute("active", "False for people who left; by default true", { type: "boolean", required: true }),
    ],
  },
  {
    id: enterprise,
    name: "EnterpriseUser",
    description: "An account in an organization",
    attributes: [
      attribute("department", "The department; `unassigned` for none", { required: true }),
      attribute("manager", "The person whom the user reports to", {
        type: "complex",
        subAttributes: [
          attribute("value", "The id of the manager"),
          attribute("$ref", "The address of the manager; needed only without `value`", {
            type: "reference",
            referenceTypes: ["User"],
            caseExact: true,
          }),
          attribute("displayName", "The name of the manager", { mutability: "readOnly" }),
        ],
      }),
    ],
  },
] as const

/** `url` is the address of this server. */
export const schemas = (url: string): readonly Described[] =>
  definitions.map((definition) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
    ...definition,
    meta: { resourceType: "Schema", location: `${url}${scimPath}/Schemas/${definition.id}` },
  }))

export const resourceTypes = (url: string): readonly (Described & Attribute)[] => [
  {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: "User",
    name: "User",
    endpoint: "/Users",
    description: "User Account",
    schema: core,
    schemaExtensions: [{ schema: enterprise, required: false }],
    meta: { resourceType: "ResourceType", location: `${url}${scimPath}/ResourceTypes/User` },
  },
]

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

export const listOf = (resources: readonly object[], startIndex: number, totalResults: number): object => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})
