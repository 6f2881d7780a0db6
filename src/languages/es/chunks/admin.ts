import { admin } from "../app/admin/administration.ts"
import { allowances } from "../app/admin/allowances.ts"
import { leaving } from "../app/admin/deactivation.ts"
import { departments } from "../app/admin/departments.ts"
import { imports } from "../app/admin/import.ts"
import { health } from "../app/admin/server.ts"
import { webhooks } from "../app/admin/webhooks.ts"

/** Texts that the administration shares. */
export const texts = { admin, allowances, leaving, departments, imports, health, webhooks }
