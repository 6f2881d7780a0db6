import { expect, test } from "bun:test"
import { startTestServer } from "../support/server.ts"

/*
 * A field of one name has one type in all answers, so that a program reads it the same way wherever it finds it. SCIM is left
 * out, because RFC 7643 names its fields.
 */

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
}

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses?: Readonly<Record<string, Answer>> }>>>
  >
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

/** Fields that differ, and why. What version 0.1.0 answered stays until 1.0. */
const reasons: Readonly<Record<string, string>> = {
  birthday: "the day of a person; in the programme the kind of an occasion, with its settings",
  ended: "how many sessions; of a look back whether its period is over",
  from: "who gave; of figures the first day, or the department",
  given: "points, as in 0.1.0; of a look back the points and to how many people",
  id: "a number, but that of a session cannot be guessed",
  items: "whatever the list is of",
  next: "a cursor is a text; in the feed and the notifications a number since 0.1.0",
  own: "whether it is the caller's; of a leaderboard the caller's line",
  people: "how many; of a look back who they are",
  programme: "what is decided; in a message of the stream its revision",
  receivers: "who they are; of a month how many they are",
  received: "points, as in 0.1.0; of a person or a look back the points and how often",
  recognition: "the entry; where the rest of the entry stands beside it, its id",
  second_factor: "whether there is one; of a log-in that waits for it, which ones",
  status: "of a delivery the HTTP status that came back; of the server a word",
  tags: "names; where they are counted or described, with that",
  to: "as `from`",
  total: "points; of a list of what people hold the sums",
  value: "points; of what people hold what the points are worth, in money",
}

test("a field of one name has one type in all answers, unless there is a reason", async () => {
  await using server = await startTestServer()
  const { paths, components } = (await server.anybody.get<Described>("/openapi.json")).body
  /** By field and type: where it is. */
  const fields = new Map<string, Map<string, string[]>>()
  const visited = new Set<string>()

  for (const operation of Object.values(paths).flatMap((path) => Object.values(path)))
    for (const { content = {} } of Object.values(operation.responses ?? {}))
      for (const { schema } of Object.values(content)) if (schema) visit(schema, "answer")
  const differing = [...fields].filter(([, types]) => types.size > 1)

  expect(visited.size).toBeGreaterThan(60)
  expect(typesOf("manager")).toEqual({ string: ["Account", "CurrentSession", "Me", "Person", "Team"] })
  const unexplained = differing.filter(([name]) => reasons[name] === undefined)
  expect(unexplained.map(([name]) => [name, typesOf(name)])).toEqual([])
  // Whoever mends one deletes its reason.
  expect(Object.keys(reasons).toSorted()).toEqual(differing.map(([name]) => name).toSorted())

  function visit(schema: Schema, where: string): void {
    if (schema.$ref !== undefined) {
      const name = nameIn(schema.$ref)
      if (!visited.has(name) && !name.startsWith("Scim")) {
        visited.add(name)
        visit(resolved(schema), name)
      }
    }
    for (const one of schema.anyOf ?? []) visit(one, where)
    if (schema.items) visit(schema.items, where)
    if (typeof schema.additionalProperties === "object") visit(schema.additionalProperties, where)
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const type = typeOf(field)
      if (type !== "null") {
        const types = fields.getOrInsertComputed(name, () => new Map())
        types.getOrInsertComputed(type, () => []).push(where)
      }
      visit(field, where)
    }
  }

  /** Whether it can be null makes no difference, nor does what an object has. */
  function typeOf(schema: Schema): string {
    if (schema.$ref !== undefined) return typeOf(resolved(schema))
    if (schema.anyOf) {
      const types = new Set(schema.anyOf.map(typeOf))
      types.delete("null")
      return [...types].toSorted().join(" or ") || "null"
    }
    if (schema.const !== undefined) return schema.const === null ? "null" : typeof schema.const
    if (schema.enum) return [...new Set(schema.enum.map((one) => typeof one))].join(" or ")
    return schema.type === "array" ? `list of ${typeOf(schema.items ?? {})}` : (schema.type ?? "anything")
  }

  /** The types of a field, and where it has each. */
  function typesOf(name: string): Record<string, string[]> {
    return Object.fromEntries([...(fields.get(name) ?? [])].map(([type, where]) => [type, [...new Set(where)].sort()]))
  }

  function resolved({ $ref = "" }: Schema): Schema {
    return components.schemas[nameIn($ref)] ?? {}
  }
})

const nameIn = (ref: string) => ref.split("/").at(-1) ?? ""
