import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import { credentials, describe, one } from "../../documented.ts"
import type { doors } from "../../guards.ts"
import { ProtectedQuery, Username } from "../../schemas.ts"
import { PeopleQuery, placeOf } from "../../v1/schemas.ts"
import { departmentView, peopleView, personView } from "../../v1/views.ts"

interface Dependencies {
  readonly app: Pick<App, "people" | "statistics">
  readonly door: ReturnType<typeof doors>
}

/** Finding people, for everybody who is logged in. */
export function peopleRoutes({ app: { people, statistics }, door }: Dependencies) {
  return new Elysia()
    .use(door)
    .get(
      "/api/v1/people",
      async ({ query: { after, size, ...query } }) => {
        const asked = { ...query, after: placeOf(after), size: size === undefined ? undefined : Number(size) }
        return peopleView(await people.search(asked))
      },
      {
        members: true,
        query: PeopleQuery,
        detail: describe("People", "Find people", 200, one("PeoplePage"), [...credentials, "invalid"]),
      },
    )
    .get(
      "/api/v1/people/:username",
      async ({ caller, target }) => personView(target, await statistics.of(caller.user, target)),
      {
        toUser: true,
        params: Username,
        query: ProtectedQuery,
        detail: describe("People", "Show what a person received and sent", 200, one("Person"), [
          ...credentials,
          "user_not_found",
          "invalid",
        ]),
      },
    )
    .get("/api/v1/departments", async () => ({ items: (await people.departments()).map(departmentView) }), {
      members: true,
      query: ProtectedQuery,
      detail: describe("People", "List the departments", 200, one("Departments"), [...credentials, "invalid"]),
    })
}
