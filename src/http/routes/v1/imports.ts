import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import { readCsv } from "../../../csv/read.ts"
import { maxImportRows } from "../../../domain/people/imports.ts"
import { credentials, describe, one } from "../../documented.ts"
import type { doors } from "../../guards.ts"
import { isOn } from "../../schemas.ts"
import { ImportQuery, importBody, importView } from "../../v1/imports.ts"

interface Dependencies {
  readonly app: Pick<App, "imports">
  readonly door: ReturnType<typeof doors>
  readonly addressOf: (request: Request) => string
}

/** Many people out of one file, all or nothing. */
export function importRoutes({ app: { imports }, door, addressOf }: Dependencies) {
  return new Elysia().use(door).post(
    "/api/v1/users/import",
    async ({ caller: { user }, body, query, request }) => {
      const actor = { user, who: user.username, way: "http" as const, address: addressOf(request) }
      const table = body instanceof Uint8Array ? await readCsv(body, maxImportRows) : []
      const options = { dryRun: isOn(query.dry_run), invite: isOn(query.invite) }
      return importView(await imports.run(actor, table, options))
    },
    {
      superusersWithFile: true,
      query: ImportQuery,
      detail: {
        ...describe("Users", "Create and change people from a CSV file, all or nothing", 200, one("ImportResult"), [
          ...credentials,
          "not_superuser",
          "foreign_origin",
          "invalid",
          "body_too_large",
          "unsupported_media_type",
          "unwritable",
        ]),
        requestBody: importBody,
      },
    },
  )
}
