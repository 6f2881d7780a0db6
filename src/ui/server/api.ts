import { treaty } from "@elysiajs/eden"
import type { createApi } from "../../http/api.ts"
import { encodePathParameters } from "./path-parameters.ts"

/**
 * The server's routes with their types. Dates stay as they were sent: Eden would take them, which have no zone, for
 * local time.
 */
export const api = encodePathParameters(treaty<ReturnType<typeof createApi>>(location.origin, { parseDate: false }))
