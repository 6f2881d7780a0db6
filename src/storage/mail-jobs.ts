import { emailKey } from "../domain/people/fields.ts"

/** Whether a job with this payload sends mail to this address. */
export const isMailTo = (email: string, payload: unknown): boolean =>
  typeof payload === "object" &&
  payload !== null &&
  "email" in payload &&
  typeof payload.email === "string" &&
  emailKey(payload.email) === emailKey(email)
