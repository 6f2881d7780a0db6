import { dayMs } from "../calendar.ts"

/** How long nobody else can have a former username: links to it lead to its owner meanwhile. */
export const formerUsernameMs = 365 * dayMs
