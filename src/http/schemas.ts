import { type ObjectOptions, type TProperties, Type } from "@sinclair/typebox"
import { defaultPageSize, maxPageSize } from "../domain/paging.ts"
import { maxValue } from "../domain/points.ts"

/** An object whose unknown fields are ignored. Those of `Type.Object` are refused, because `normalize` is off (base.ts). */
export const openObject = <T extends TProperties>(fields: T, options: ObjectOptions = {}) =>
  Type.Object(fields, { ...options, additionalProperties: true })

export const text = (description: string) => Type.String({ description })
export const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

interface Range {
  readonly minimum: number
  readonly maximum?: number
  readonly default?: number
}

/** An integer in a query: digits only, since Elysia's own integers also take `0x10` and `1e1`. The domain checks the
 *  range. `shownAs` is what the OpenAPI document shows instead of a text (see openapi.ts). */
export const integer = (description: string, { minimum, maximum = maxValue, ...rest }: Range) =>
  Type.String({
    pattern: "^[0-9]{1,16}$",
    description,
    shownAs: { type: "integer", minimum, maximum, ...rest },
  })

/** The id of an entry of the feed, which is negative for an occasion. */
export const entryId = (description: string) =>
  Type.String({
    pattern: "^-?[0-9]{1,16}$",
    description,
    shownAs: { type: "integer", minimum: -maxValue, maximum: maxValue },
  })

/** The number in an optional parameter whose schema is `integer` or `entryId`. */
export const numberOf = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits)

export const sizeUpTo = (maximum: number, byDefault: number) =>
  integer(`an integer from 1 to ${maximum}, by default ${byDefault}`, { minimum: 1, maximum, default: byDefault })

/** A day. The domain refuses any other text. */
export const day = (description: string) =>
  Type.String({ description, shownAs: { type: "string", format: "date", examples: ["2026-11-21"] } })

/** One of these words. The domain refuses any other. */
export const oneOf = (words: readonly string[], description = `one of ${words.join(", ")}`, byDefault?: string) =>
  Type.String({
    description,
    shownAs: { type: "string", enum: words, ...(byDefault !== undefined && { default: byDefault }) },
  })

const on = ["true", "1", "yes", "on"]
const off = ["false", "0", "no", "off"]
const inAnyCase = (word: string) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
/** A boolean in a query, in the spellings that clients of many languages send. */
export const Flag = Type.String({
  pattern: `^(${[...on, ...off].map(inAnyCase).join("|")})$`,
  shownAs: { type: "boolean", default: false },
  description: `true or false (also ${[...on, ...off].filter((word) => word !== "true" && word !== "false").join(", ")})`,
})
export const isOn = (flag: string | null | undefined): boolean => on.includes(flag?.toLowerCase() ?? "")

/** Which accounts a list shows. Only superusers see inactive ones. */
export const ActiveFilter = {
  active: Type.Optional(
    oneOf(
      ["true", "false", "all"],
      "only active accounts, only inactive ones, or all; callers who may not see inactive ones always see the active ones",
      "true",
    ),
  ),
}
/** The query of a protected endpoint, with the parameter that each of them takes (docs/interface/authentication.md). */
export const protectedQuery = <T extends TProperties>(parameters: T) =>
  openObject({ fresh: Type.Optional(Flag), ...parameters })
export const ProtectedQuery = protectedQuery({})

export const pageSize = sizeUpTo(maxPageSize, defaultPageSize)

/** Query parameter `after` of the streams. */
export const afterTransaction = {
  after: Type.Optional(integer("the id of a transaction: an integer from 0", { minimum: 0 })),
}

/** Path parameters. */
export const Username = Type.Object({ username: Type.String() })
export const Id = Type.Object({ id: Type.String() })

/** Path parameters and query of a protected endpoint for what a path names. */
export const byId = { params: Id, query: ProtectedQuery } as const
export const byUsername = { params: Username, query: ProtectedQuery } as const
