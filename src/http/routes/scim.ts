import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { maxProvisionedPage, type ProvisionedUser } from "../../domain/people/provisioning.ts"
import type { Actor } from "../../domain/people/roles.ts"
import type { Dependencies } from "../dependencies.ts"
import { type ErrorCode, HttpError } from "../errors.ts"
import { bodyErrors, ref, scimOperation, withBody } from "../openapi-operations.ts"
import { Id, openObject } from "../schemas.ts"
import { deactivates, fieldsOf, filterOf, patchedFields } from "../scim/requests.ts"
import { selectorOf, userResource } from "../scim/resources.ts"
import { type Described, listOf, resourceTypes, schemas, serviceProviderConfig } from "../scim/schemas.ts"
import { ScimError, scimPath, scimType } from "../scim/scim-errors.ts"

const defaultCount = 100

/** SCIM 2.0, with which a directory provisions people (docs/operations/scim.md). */
export function scimRoutes({ app: { address, provisioning }, guards }: Dependencies<"address" | "provisioning">) {
  const users = `${scimPath}/Users`

  return new Elysia()
    .use(guards)
    .get(
      users,
      async ({ request: { signal }, query }) => {
        const from = Math.max(numberIn("startIndex", query.startIndex) ?? 1, 1)
        const count = Math.min(Math.max(numberIn("count", query.count) ?? defaultCount, 0), maxProvisionedPage)
        const page = await (query.filter === undefined
          ? provisioning.page(from - 1, count, signal)
          : filtered(query.filter))
        const select = selectorOf(query)
        const resources = page.users.map((user) => select(userResource(user, address.url)))
        return answer(200, listOf(resources, from, page.total))

        async function filtered(filter: string) {
          const found = await provisioning.matching(filterOf(filter))
          return { users: found.slice(from - 1, from - 1 + count), total: found.length }
        }
      },
      {
        provisioner: "admin",
        query: ListQuery,
        detail: scimOperation("List or find users", 200, "ScimUsers", ["invalid"]),
      },
    )
    .post(
      users,
      async ({ body, query, actor }) => shown(201, await provisioning.create(actor, fieldsOf(body, null)), query),
      {
        provisioner: "admin",
        query: SelectionQuery,
        detail: withBody(
          scimType,
          ref("ScimUserRequest"),
          scimOperation("Create a user", 201, "ScimUser", writeErrors),
        ),
      },
    )
    .get(`${users}/:id`, async ({ params, query }) => shown(200, await provisioning.find(params.id), query), {
      ...oneUser,
      detail: scimOperation("Read a user", 200, "ScimUser", ["user_not_found"]),
    })
    .put(
      `${users}/:id`,
      async ({ params, query, body, actor }) => shown(200, await changed(actor, params.id, body, fieldsOf), query),
      changing("Replace a user", "ScimUserRequest"),
    )
    .patch(
      `${users}/:id`,
      async ({ params, query, body, actor }) => shown(200, await changed(actor, params.id, body, patchedFields), query),
      changing("Change a user", "ScimPatch"),
    )
    .delete(
      `${users}/:id`,
      async ({ params, actor }) => {
        const found = await provisioning.find(params.id)
        await provisioning.deactivate(actor, found)
        return new Response(null, { status: 204 })
      },
      {
        provisioner: "admin",
        params: Id,
        detail: scimOperation("Deactivate a user", 204, null, [
          "user_not_found",
          "foreign_origin",
          "invalid",
          "unwritable",
        ]),
      },
    )
    .get(`${scimPath}/ServiceProviderConfig`, () => answer(200, serviceProviderConfig(address.url)), {
      provisioner: "admin",
      detail: scimOperation("What this service supports of SCIM", 200, "ScimDescription", []),
    })
    .get(`${scimPath}/Schemas`, () => list(schemas(address.url)), {
      provisioner: "admin",
      detail: scimOperation("List the schemas", 200, "ScimDescriptions", []),
    })
    .get(`${scimPath}/Schemas/:id`, ({ params }) => one(schemas(address.url), params.id), {
      provisioner: "admin",
      params: Id,
      detail: scimOperation("Read a schema", 200, "ScimDescription", ["not_found"]),
    })
    .get(`${scimPath}/ResourceTypes`, () => list(resourceTypes(address.url)), {
      provisioner: "admin",
      detail: scimOperation("List the types of resources", 200, "ScimDescriptions", []),
    })
    .get(`${scimPath}/ResourceTypes/:id`, ({ params }) => one(resourceTypes(address.url), params.id), {
      provisioner: "admin",
      params: Id,
      detail: scimOperation("Read a type of resources", 200, "ScimDescription", ["not_found"]),
    })

  /** A deactivation is done first, and stays when the rest of the request is refused. */
  async function changed(actor: Actor, id: string, body: unknown, fieldsIn: typeof patchedFields) {
    const found = await provisioning.find(id)
    const before = deactivates(body) ? await provisioning.deactivate(actor, found) : found
    return provisioning.update(actor, before, fieldsIn(body, before))
  }

  function shown(status: number, user: ProvisionedUser, selection: Static<typeof SelectionQuery>): Response {
    const location = `${address.url}${users}/${user.user.id}`
    return answer(status, selectorOf(selection)(userResource(user, address.url)), { location })
  }
}

const list = (all: readonly object[]): Response => answer(200, listOf(all, 1, all.length))

/** URNs ignore case. @throws HttpError `not_found` */
function one(all: readonly Described[], id: string): Response {
  const found = all.find((described) => described.id.toLowerCase() === id.toLowerCase())
  if (!found) throw new HttpError("not_found")
  return answer(200, found)
}

const answer = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": scimType, ...headers } })

const writeErrors = [
  "username_taken",
  "username_lookalike",
  "email_taken",
  "external_id_taken",
  "manager_cycle",
  ...bodyErrors,
  "unwritable",
] as const satisfies ErrorCode[]

const selection = {
  attributes: Type.Optional(
    Type.String({ description: "the attributes of the answer, separated by commas; always also `schemas` and `id`" }),
  ),
  excludedAttributes: Type.Optional(
    Type.String({ description: "attributes to leave out; ignored beside `attributes`" }),
  ),
}
const SelectionQuery = openObject(selection)

const oneUser = { provisioner: "admin", params: Id, query: SelectionQuery } as const

/** The options of a route that changes a user. */
const changing = (summary: string, body: string) => ({
  ...oneUser,
  detail: withBody(scimType, ref(body), scimOperation(summary, 200, "ScimUser", ["user_not_found", ...writeErrors])),
})

const ListQuery = openObject({
  ...selection,
  filter: Type.Optional(Type.String({ description: 'such as `userName eq "ana"`' })),
  startIndex: Type.Optional(
    Type.String({ description: "of the first user, from 1", shownAs: { type: "integer", default: 1 } }),
  ),
  count: Type.Optional(
    Type.String({
      description: `how many users, at most ${maxProvisionedPage}`,
      shownAs: { type: "integer", default: defaultCount },
    }),
  ),
})

const Texts = Type.Array(Type.String())
const optionalText = Type.Optional(Type.String())

const attributes = {
  externalId: optionalText,
  displayName: optionalText,
  name: Type.Optional(openObject({ formatted: optionalText, givenName: optionalText, familyName: optionalText })),
  emails: Type.Optional(
    Type.Array(openObject({ value: Type.String(), type: optionalText, primary: Type.Optional(Type.Boolean()) })),
  ),
  active: Type.Optional(Type.Boolean()),
  "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": Type.Optional(
    openObject({
      department: optionalText,
      manager: Type.Optional(
        openObject(
          // Not `$ref`: the API page takes a property of that name for a reference, and then shows nothing.
          { value: optionalText, displayName: optionalText },
          { description: "`value` is an id, and `$ref` the address of that user" },
        ),
      ),
    }),
  ),
}

const Meta = Type.Object({
  resourceType: Type.String(),
  location: Type.String(),
})

/** A request may select attributes; every answer has `schemas` and `id`. */
const ScimUser = Type.Object({
  schemas: Texts,
  id: Type.String(),
  userName: optionalText,
  ...attributes,
  meta: Type.Optional(Meta),
})

/** Schemas, types of resources and the configuration of the service, in the words of RFC 7643. */
const ScimDescription = openObject({ schemas: Texts, id: optionalText, meta: Meta })

const listFields = {
  schemas: Texts,
  totalResults: Type.Integer(),
  startIndex: Type.Integer(),
  itemsPerPage: Type.Integer(),
}

export const scimComponents = {
  ScimUser,
  ScimUserRequest: openObject({ schemas: Type.Optional(Texts), userName: optionalText, ...attributes }),
  ScimPatch: openObject({
    schemas: Texts,
    Operations: Type.Array(
      Type.Object({
        op: Type.String({ description: "`add`, `replace` or `remove`, in any case" }),
        path: optionalText,
        value: Type.Optional(Type.Unknown()),
      }),
    ),
  }),
  ScimUsers: Type.Object({ ...listFields, Resources: Type.Array(Type.Ref("ScimUser")) }),
  ScimDescription,
  ScimDescriptions: Type.Object({ ...listFields, Resources: Type.Array(Type.Ref("ScimDescription")) }),
  ScimError: Type.Object({
    schemas: Texts,
    status: Type.String({ description: "the status of the answer" }),
    scimType: Type.Optional(Type.String({ description: "the kind of a 400 or 409, such as `invalidFilter`" })),
    detail: Type.String(),
  }),
}

/** @throws ScimError `invalidValue` */
function numberIn(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^-?\d{1,9}$/.test(text)) throw new ScimError("invalidValue", `${name}: an integer`)
  return Number(text)
}
