import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { type SecondFactor, secondFactorKinds } from "../../../domain/auth/model.ts"
import { maxFactorName } from "../../../domain/auth/second-factors.ts"
import { DomainError } from "../../../domain/errors.ts"
import type { User } from "../../../domain/people/model.ts"
import { isId } from "../../../domain/text.ts"
import { utc, utcOrNull } from "../../../formats/views/dates.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { byId, byUsername, openObject, ProtectedQuery, text } from "../../schemas.ts"
import { date, dateOrNull } from "./common-fields.ts"

/**
 * Setting up second factors. Besides these, somebody who must have one and has none can only see the session
 * (`anyoneSettingUp` in sessions.ts) and log out.
 */
export function secondFactorRoutes({ app: { secondFactors }, guards }: Dependencies<"secondFactors">) {
  const overviewOf = async (user: User) => {
    const { factors, recoveryCodes, isRequired, canUsePasskeys } = await secondFactors.overview(user)
    return {
      items: factors.map(factorView),
      recovery_codes: recoveryCodes,
      required: isRequired,
      passkeys: canUsePasskeys,
    }
  }

  return new Elysia()
    .use(guards)
    .get("/api/v1/me/second-factors", ({ caller }) => overviewOf(caller.user), {
      settingUp: true,
      query: ProtectedQuery,
      detail: operation("Second factor", "List your second factors", 200, "SecondFactors"),
    })
    .post("/api/v1/me/passkeys/options", ({ caller }) => secondFactors.passkeyOptions(caller), {
      settingUpRecently: true,
      query: ProtectedQuery,
      detail: operation("Second factor", "Begin to add a passkey", 200, "PasskeyOptions", [
        "passkeys_unusable",
        "too_many_factors",
      ]),
    })
    .post(
      "/api/v1/me/passkeys",
      async ({ caller, actor, body: { name = "Passkey", ...made }, status }) => {
        const added = await secondFactors.addPasskey(caller, { ...made, name }, actor)
        return status(201, factorView(added))
      },
      {
        settingUpRecently: true,
        query: ProtectedQuery,
        body: PasskeyRequest,
        detail: operation("Second factor", "Add a passkey", 201, "SecondFactor", [
          "challenge_ended",
          "passkey_known",
          "too_many_factors",
        ]),
      },
    )
    .post("/api/v1/me/totp", ({ caller }) => secondFactors.beginCodes(caller), {
      settingUpRecently: true,
      query: ProtectedQuery,
      detail: operation("Second factor", "Begin to set up an app for one-time codes", 200, "TotpSetup", [
        "too_many_factors",
      ]),
    })
    .post(
      "/api/v1/me/totp/confirmation",
      async ({ caller, actor, body: { code, name = "Authenticator app" }, status }) => {
        const added = await secondFactors.confirmCodes(caller, { code, name }, actor)
        return status(201, factorView(added))
      },
      {
        settingUpRecently: true,
        query: ProtectedQuery,
        body: ConfirmationRequest,
        detail: operation("Second factor", "Confirm one-time codes by a first one", 201, "SecondFactor", [
          "no_setup",
          "too_many_factors",
        ]),
      },
    )
    .delete(
      "/api/v1/me/second-factors/:id",
      async ({ caller, actor, params }) => {
        await secondFactors.remove(caller, idIn(params.id), actor)
        return overviewOf(caller.user)
      },
      {
        settingUpRecently: true,
        ...byId,
        detail: operation("Second factor", "Remove a second factor", 200, "SecondFactors", [
          "factor_not_found",
          "factor_needed",
        ]),
      },
    )
    .post(
      "/api/v1/me/recovery-codes",
      async ({ caller, actor, status }) => {
        const codes = await secondFactors.newRecoveryCodes(caller, actor)
        return status(201, { codes })
      },
      {
        settingUpRecently: true,
        query: ProtectedQuery,
        detail: operation(
          "Second factor",
          "Replace the recovery codes; the old ones stop working",
          201,
          "RecoveryCodes",
          ["no_factor"],
        ),
      },
    )
    .delete(
      "/api/v1/users/:username/second-factors",
      async ({ target, actor }) => ({
        removed: await secondFactors.reset(actor, target),
      }),
      {
        toAccountRecently: true,
        ...byUsername,
        detail: operation(
          "Users",
          "Remove the second factors of somebody who lost theirs, and log them out (superusers)",
          200,
          "RemovedFactors",
        ),
      },
    )
}

/** @throws DomainError `factor_not_found` */
function idIn(text: string): number {
  if (!isId(text)) throw new DomainError("factor_not_found")
  return Number(text)
}

const name = Type.Optional(text(`to tell it from others: 1 to ${maxFactorName} characters`))

const PasskeyRequest = openObject({
  challenge: text("that of the options"),
  response: openObject({}, { description: "what `navigator.credentials.create` returned, as JSON" }),
  name,
})

const ConfirmationRequest = openObject({ code: text("the six digits that the app shows now"), name })

const secondFactor = Type.Object({
  id: Type.Integer(),
  kind: Type.Union(secondFactorKinds.map((kind) => Type.Literal(kind))),
  name: Type.String(),
  created_at: date("UTC"),
  last_used_at: dateOrNull("UTC"),
})

export const secondFactorComponents = {
  SecondFactor: secondFactor,
  SecondFactors: Type.Object({
    items: Type.Array(Type.Ref("SecondFactor")),
    recovery_codes: Type.Integer({ description: "how many are left" }),
    required: Type.Boolean({ description: "whether you must have a second factor" }),
    passkeys: Type.Boolean({ description: "whether browsers can make passkeys for the address of this service" }),
  }),
  PasskeyOptions: Type.Object({
    challenge: Type.String({ description: "to be sent back with the passkey, within five minutes" }),
    options: Type.Object(
      {},
      { additionalProperties: true, description: "for `navigator.credentials.create`, as JSON" },
    ),
  }),
  TotpSetup: Type.Object({
    secret: Type.String({ description: "in base32, to be typed into an app" }),
    uri: Type.String({ description: "the same as an address, for a QR code" }),
  }),
  RecoveryCodes: Type.Object({
    codes: Type.Array(Type.String(), { description: "shown once; each finishes one log-in" }),
  }),
  RemovedFactors: Type.Object({ removed: Type.Integer({ description: "how many second factors" }) }),
}

const factorView = ({ id, kind, name, createdAt, lastUsedAt }: SecondFactor) => ({
  id,
  kind,
  name,
  created_at: utc(createdAt),
  last_used_at: utcOrNull(lastUsedAt),
})
