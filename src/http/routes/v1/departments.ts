import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { Rename } from "../../../domain/people/departments.ts"
import { maxLengths } from "../../../domain/people/fields.ts"
import type { Department } from "../../../domain/people/model.ts"
import { hasDuty } from "../../../domain/people/roles.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation, showingMore } from "../../openapi-operations.ts"
import { activeFor } from "../../request.ts"
import { ActiveFilter, Flag, isOn, openObject, protectedQuery, text } from "../../schemas.ts"

/** The departments, for every authenticated caller; those who run the programme rename them. */
export function departmentRoutes({ app: { departments }, guards }: Dependencies<"departments">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/departments",
      async ({ caller, query: { active } }) => ({
        items: (await departments.list(activeFor(hasDuty(caller.user, "people", "programme"), active))).map(
          departmentView,
        ),
      }),
      {
        authenticated: "read",
        query: ListQuery,
        detail: showingMore(
          ["people", "programme"],
          "count inactive people with `active`",
          operation("People", "List the departments", 200, "Departments"),
        ),
      },
    )
    .patch(
      "/api/v1/departments/:name",
      async ({ department, body: { name, merge }, query, actor }) => {
        const request = { name, merges: merge }
        const change = isOn(query.dry_run) ? departments.preview : departments.rename
        return renameView(await change(actor, department, request))
      },
      {
        toDepartment: "admin",
        params: Type.Object({ name: Type.String() }),
        query: protectedQuery({ dry_run: Type.Optional(Flag) }),
        body: RenameRequest,
        detail: operation("People", "Rename a department, or join it to another (superusers)", 200, "Rename", [
          "own_request",
          "dept_exists",
          "dept_being_paid",
        ]),
      },
    )
}

const ListQuery = protectedQuery({ ...ActiveFilter })

const RenameRequest = openObject({
  name: text(`the new name, 1 to ${maxLengths.dept} characters`),
  merge: Type.Optional(Type.Boolean({ description: "true: it may join a department that has this name" })),
})

export const departmentComponents = {
  Departments: Type.Object({ items: Type.Array(Type.Object({ name: Type.String(), people: Type.Integer() })) }),
  Rename: Type.Object({
    name: text("the new name; when departments are merged, as the existing one spells it"),
    people: Type.Integer({
      description: "how many move; those who left move too, and are not counted: 0 when everybody has left",
    }),
    allowances: Type.Integer({ description: "how many allowances for the department follow it" }),
    joins: Type.Union([Type.Integer(), Type.Null()], {
      description: "how many are in the department that is joined, without those who left; null when none is",
    }),
  }),
}

const departmentView = ({ name, people }: Department) => ({ name, people })
const renameView = ({ name, people, allowances, joins }: Rename) => ({ name, people, allowances, joins })
