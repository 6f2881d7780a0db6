import { type ApiToken, tokenScopes } from "../domain/auth/model.ts"
import { DomainError } from "../domain/errors.ts"
import { apiTokenView } from "../formats/views/tokens.ts"
import { operatorOf, userNamed, withApp } from "./support/app.ts"
import { argument, idArg, listOption, option, partsOf } from "./support/arguments.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { Refusal } from "./support/failures.ts"
import { isoTime, json, table, visible } from "./support/terminal.ts"

/** Creates a service token and prints its secret, which cannot be shown again. */
export const tokenCreate = command({
  name: "token create",
  description: "Create a token for a program that acts for a user",
  example: "rewards token create 'Birthday bot' --user birthday-bot --scope give --expires 2027-01-01",
  args: {
    name: argument("What it is for"),
    user: { ...option("USERNAME", "The account whose rights it has, or its e-mail address"), required: true },
    scope: {
      ...listOption(
        "SCOPES",
        `What it may do: some of ${tokenScopes.join(", ")}, separated by commas; may be repeated`,
      ),
      required: true,
    },
    expires: option(
      "WHEN",
      "When it expires: at the beginning of a day, such as 2027-01-01, or at a time, such as 2027-01-01T12:00:00Z; without it, never",
    ),
    ...jsonArg,
    ...fileArgs,
  },
  async run({ name, user, scope, expires, ...args }, context) {
    const scopes = partsOf(scope)
    const { apiToken, secret } = await withApp(context, args, async ({ apiTokens, store }) => {
      const account = await userNamed(store, user)
      return apiTokens.createService(operatorOf(context), account, { name, scopes, expiresAt: expires })
    })
    if (args.json) return context.print(json({ ...shown(apiToken), token: secret }))
    await context.print(secret)
    const end = apiToken.expiresAt === null ? "never expires" : `expires at ${isoTime(apiToken.expiresAt)}`
    context.printError(`Token ${apiToken.id} acts for ${apiToken.username} and ${end}. It is not shown again.`)
  },
})

const columns = ["id", "kind", "user", "name", "prefix", "scopes", "created", "expires", "last used", "from"] as const

export const tokenList = command({
  name: "token list",
  description: "List the API tokens, without their secrets",
  example: "rewards token list",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const found = (await withApp(context, args, ({ apiTokens }) => apiTokens.all())).map(shown)
    const rows = found.map((one) => [
      ...[String(one.id), one.kind, one.username, one.name, one.prefix, one.scopes.join(",")],
      ...[one.created_at, one.expires_at ?? "never", one.last_used_at ?? "never", one.last_used_from ?? ""],
    ])
    await context.print(args.json ? json(found) : table(columns, rows))
  },
})

export const tokenRevoke = command({
  name: "token revoke",
  description: "Revoke an API token, in every process at once",
  example: "rewards token revoke 3",
  args: { id: idArg("a token"), ...fileArgs },
  async run({ id, ...args }, context) {
    const wanted = Number(id)
    const { name, username } = await withApp(context, args, async ({ apiTokens }) => {
      const apiToken = (await apiTokens.all()).find((candidate) => candidate.id === wanted)
      if (!apiToken) throw new Refusal(new DomainError("token_not_found").message)
      await apiTokens.revoke(operatorOf(context), apiToken)
      return apiToken
    })
    await context.print(`Token ${wanted} (${visible(name)}) of ${username} revoked`)
  },
})

const shown = (apiToken: ApiToken) => {
  const { id, ...rest } = apiTokenView(apiToken)
  return { id, kind: apiToken.kind, username: apiToken.username, ...rest }
}
