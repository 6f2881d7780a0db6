import { treaty } from "@elysiajs/eden"
import type { Api } from "../../http/api.ts"
import { encodePathParameters } from "./path-parameters.ts"

/**
 * The typed client of the server's routes. `parseDate` is off because the server's dates have no zone and Eden would
 * take them for local time.
 */
export const api = encodePathParameters(treaty<Api>(location.origin, { parseDate: false }))
