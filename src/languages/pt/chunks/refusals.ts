import { details } from "../refusals.ts"

/** What the server says. */
export const texts = { details }
