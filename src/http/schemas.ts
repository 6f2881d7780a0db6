import { Type } from "@sinclair/typebox"
import { defaultPageSize, maxPageSize, maxValue, minValue, orderFields } from "../domain/ledger/ledger.ts"
import { maxReasonLength } from "../domain/ledger/notes.ts"
import { defaultCurrency, maxLengths } from "../domain/people/fields.ts"

/** Unknown fields are ignored, as clients of this interface expect; Elysia's default would refuse them. */
export const open = { additionalProperties: true } as const

export const text = (description: string) => Type.String({ description })
export const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

interface Range {
  readonly minimum: number
  readonly maximum?: number
  readonly default?: number
}

/** Digits only: Elysia's own integers take `0x10` and `1e1` too. The domain checks the range. Parameters come as texts:
 *  `shownAs` is what the OpenAPI document says that they stand for (see openapi.ts). */
export const integer = (description: string, { minimum, maximum = maxValue, ...rest }: Range) =>
  Type.String({
    pattern: "^[0-9]{1,16}$",
    description,
    shownAs: { type: "integer", minimum, maximum, ...rest },
  })

export const sizeUpTo = (maximum: number, byDefault: number) =>
  integer(`an integer from 1 to ${maximum}, by default ${byDefault}`, { minimum: 1, maximum, default: byDefault })

/** One of these words; the domain refuses any other. */
export const oneOf = (words: readonly string[], description: string, byDefault?: string) =>
  Type.String({
    description,
    shownAs: { type: "string", enum: words, ...(byDefault !== undefined && { default: byDefault }) },
  })

const on = ["true", "1", "yes", "on"]
const off = ["false", "0", "no", "off"]
const inAnyCase = (word: string) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
/** A boolean of the query, in the spellings that clients of many languages send. */
export const Flag = Type.String({
  pattern: `^(${[...on, ...off].map(inAnyCase).join("|")})$`,
  shownAs: { type: "boolean", default: false },
  description: `true or false (also ${[...on, ...off].filter((word) => word !== "true" && word !== "false").join(", ")})`,
})
export const isOn = (flag: string | null | undefined): boolean => on.includes(flag?.toLowerCase() ?? "")

/** On every protected endpoint. */
export const fresh = { fresh: Type.Optional(Flag) }
const showBalance = { show_balance: Type.Optional(Flag) }

export const pageSize = sizeUpTo(maxPageSize, defaultPageSize)

export const ProtectedQuery = Type.Object(fresh, open)
export const UserQuery = Type.Object(showBalance, open)
export const ProtectedUserQuery = Type.Object({ ...fresh, ...showBalance }, open)
export const PasswordQuery = Type.Object({ ...fresh, pwd_reset_token: Type.Optional(Type.String()) }, open)
export const HistoryQuery = Type.Object(
  {
    ...fresh,
    user: Type.Optional(text("keep transactions whose receiver has this user name")),
    from_user: Type.Optional(text("keep transactions whose sender has this user name")),
    order_by: Type.Optional(
      oneOf(
        orderFields.flatMap((field) => [field, `-${field}`]),
        `one of ${orderFields.join(", ")}; a leading - means descending`,
      ),
    ),
    page: Type.Optional(integer("an integer from 1, the default", { minimum: 1, default: 1 })),
    size: Type.Optional(pageSize),
  },
  open,
)
const after = { after: Type.Optional(integer("the id of a transaction: an integer from 0", { minimum: 0 })) }

export const StreamQuery = Type.Object(after, open)
export const TransactionStreamQuery = Type.Object(
  {
    ...after,
    last: Type.Optional(integer(`an integer from 0 to ${maxPageSize}`, { minimum: 0, maximum: maxPageSize })),
  },
  open,
)

export const Username = Type.Object({ username: Type.String() })

export const LoginRequest = Type.Object(
  {
    username: Type.String({
      description: "a user name; where none matches exactly, in any case, or an e-mail address",
    }),
    password: Type.String(),
  },
  open,
)
export const RefreshRequest = Type.Object({ refresh_token: Type.String() }, open)
export const ResetRequest = Type.Object({ email: Type.String() }, open)
export const TransferRequest = Type.Object(
  {
    value: Type.Integer({ minimum: minValue, maximum: maxValue, description: "points" }),
    reason: Type.Optional(nullableText(`at most ${maxReasonLength} characters; line breaks are kept`)),
    tags: Type.Optional(Type.Array(Type.String(), { description: "some of those that the service has, each once" })),
    private: Type.Optional(Type.Boolean({ description: "whether the reason is for sender and receiver alone" })),
  },
  open,
)
export const UserRequest = Type.Object(
  {
    name: text(`1 to ${maxLengths.name} characters`),
    email: text(`one plain address of at most ${maxLengths.email} characters`),
    dept: text(`1 to ${maxLengths.dept} characters; \`management\` makes a superuser`),
    password: text(`at most ${maxLengths.passwordBytes} bytes`),
    currency: Type.Optional(text(`1 to ${maxLengths.currency} characters, by default ${defaultCurrency}`)),
    username: Type.Optional(
      nullableText(`1 to ${maxLengths.username} characters; made from the name when absent or null`),
    ),
    avatar: Type.Optional(nullableText("http or https address of an image")),
    bio: Type.Optional(nullableText(`at most ${maxLengths.bio} characters`)),
  },
  open,
)
export const ProfileRequest = Type.Object(
  {
    avatar: Type.Optional(nullableText("http or https address of an image; null when absent")),
    bio: Type.Optional(nullableText(`at most ${maxLengths.bio} characters; null when absent`)),
  },
  open,
)
export const PasswordRequest = Type.Object({ password: Type.String(), password_confirm: Type.String() }, open)
