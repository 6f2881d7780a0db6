import { DomainError } from "../../domain/errors.ts"

/** The paths whose errors have SCIM's own format. */
export const scimPath = "/scim/v2"

export const isScim = (path: string): boolean => path === scimPath || path.startsWith(`${scimPath}/`)

export const scimType = "application/scim+json"

/** A request that SCIM itself refuses (RFC 7644, section 3.12). */
export class ScimError extends Error {
  override readonly name = "ScimError"

  constructor(
    readonly scimType: ErrorType,
    message: string,
  ) {
    super(message)
  }
}

type ErrorType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "uniqueness"

/** The status of an error that has the status `elsewhere` outside of SCIM, which has no 422. */
export const scimStatus = (elsewhere: number): number => (elsewhere === 422 ? 400 : elsewhere)

/** Outside of SCIM a taken address is answered without a reason, as docs/interface/errors.md says. */
export const withReason = (error: unknown): unknown =>
  error instanceof DomainError && error.code === "integrity" ? new DomainError("email_taken") : error

/** SCIM's answer to an error. `elsewhere` is its status outside of SCIM. */
export function scimAnswer(error: unknown, elsewhere: number, detail: string) {
  const type = typeOf(error, elsewhere)
  const status = scimStatus(elsewhere)
  const body = {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: String(status),
    ...(type && { scimType: type }),
    detail,
  }
  return { status, body: JSON.stringify(body) }
}

function typeOf(error: unknown, status: number): ErrorType | undefined {
  if (error instanceof ScimError) return error.scimType
  if (status === 409) return "uniqueness"
  if (status === 422) return "invalidValue"
  return status === 400 ? "invalidSyntax" : undefined
}
