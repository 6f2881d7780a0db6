import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { App } from "../../app.ts"
import { maxProvisionedPage, type ProvisionedUser } from "../../domain/people/provisioning.ts"
import { HttpError } from "../errors.ts"
import type { Guards } from "../guards.ts"
import { hidden } from "../openapi-operations.ts"
import { actorOf } from "../request.ts"
import { Id, open } from "../schemas.ts"
import { ScimError, scimPath, scimType } from "../scim-errors.ts"
import type { Described } from "../scim-resources.ts"

interface Dependencies {
  readonly app: Pick<App, "address" | "provisioning">
  readonly guards: Guards
}

const defaultCount = 100

/**
 * SCIM 2.0, with which a directory provisions people (docs/operations/scim.md). Not in the OpenAPI document, because
 * SCIM describes itself with its own schemas.
 */
export function scimRoutes({ app: { address, provisioning }, guards }: Dependencies) {
  const users = `${scimPath}/Users`

  return new Elysia()
    .use(guards)
    .get(
      users,
      async ({ query }) => {
        const { filterOf, listOf, userResource } = await resources()
        const from = Math.max(numberIn("startIndex", query.startIndex) ?? 1, 1)
        const count = Math.min(Math.max(numberIn("count", query.count) ?? defaultCount, 0), maxProvisionedPage)
        const page = await (query.filter === undefined ? provisioning.page(from - 1, count) : filtered(query.filter))
        return answer(
          200,
          listOf(
            page.users.map((user) => userResource(user, address.url)),
            from,
            page.total,
          ),
        )

        async function filtered(filter: string) {
          const found = await provisioning.matching(filterOf(filter))
          return { users: found.slice(from - 1, from - 1 + count), total: found.length }
        }
      },
      { provisioner: "admin", query: ListQuery, ...hidden },
    )
    .post(
      users,
      async ({ caller, body, clientAddress }) => {
        const { fieldsOf } = await resources()
        const created = await provisioning.create(actorOf(caller.user, clientAddress), fieldsOf(body, null))
        return shown(201, created)
      },
      { provisioner: "admin", ...hidden },
    )
    .get(`${users}/:id`, async ({ params }) => shown(200, await provisioning.find(params.id)), {
      provisioner: "admin",
      params: Id,
      ...hidden,
    })
    .put(
      `${users}/:id`,
      async ({ caller, params, body, clientAddress }) => {
        const { fieldsOf } = await resources()
        const before = await provisioning.find(params.id)
        return shown(
          200,
          await provisioning.update(actorOf(caller.user, clientAddress), before, fieldsOf(body, before)),
        )
      },
      { provisioner: "admin", params: Id, ...hidden },
    )
    .patch(
      `${users}/:id`,
      async ({ caller, params, body, clientAddress }) => {
        const { patchedFields } = await resources()
        const before = await provisioning.find(params.id)
        const fields = await patchedFields(body, before)
        return shown(200, await provisioning.update(actorOf(caller.user, clientAddress), before, fields))
      },
      { provisioner: "admin", params: Id, ...hidden },
    )
    .delete(
      `${users}/:id`,
      async ({ caller, params, clientAddress }) => {
        const found = await provisioning.find(params.id)
        await provisioning.deactivate(actorOf(caller.user, clientAddress), found)
        return new Response(null, { status: 204 })
      },
      { provisioner: "admin", params: Id, ...hidden },
    )
    .get(
      `${scimPath}/ServiceProviderConfig`,
      async () => answer(200, (await resources()).serviceProviderConfig(address.url)),
      { provisioner: "admin", ...hidden },
    )
    .get(`${scimPath}/Schemas`, async () => list((await resources()).schemas(address.url)), {
      provisioner: "admin",
      ...hidden,
    })
    .get(`${scimPath}/Schemas/:id`, async ({ params }) => one((await resources()).schemas(address.url), params.id), {
      provisioner: "admin",
      params: Id,
      ...hidden,
    })
    .get(`${scimPath}/ResourceTypes`, async () => list((await resources()).resourceTypes(address.url)), {
      provisioner: "admin",
      ...hidden,
    })
    .get(
      `${scimPath}/ResourceTypes/:id`,
      async ({ params }) => one((await resources()).resourceTypes(address.url), params.id),
      { provisioner: "admin", params: Id, ...hidden },
    )

  async function shown(status: number, user: ProvisionedUser): Promise<Response> {
    const { userResource } = await resources()
    return answer(status, userResource(user, address.url), { location: `${address.url}${users}/${user.user.id}` })
  }

  async function list(all: readonly object[]): Promise<Response> {
    return answer(200, (await resources()).listOf(all, 1, all.length))
  }
}

/** @throws HttpError `not_found` */
function one(all: readonly Described[], id: string): Response {
  const found = all.find((described) => described.id === id)
  if (!found) throw new HttpError("not_found")
  return answer(200, found)
}

/** Imported on first use, because the library takes 50 ms to load. */
const resources = () => import("../scim-resources.ts")

const answer = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": scimType, ...headers } })

const ListQuery = Type.Object(
  {
    filter: Type.Optional(Type.String()),
    startIndex: Type.Optional(Type.String()),
    count: Type.Optional(Type.String()),
  },
  open,
)

/** @throws ScimError `invalidValue` */
function numberIn(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^-?\d{1,9}$/.test(text)) throw new ScimError("invalidValue", `${name}: an integer`)
  return Number(text)
}
