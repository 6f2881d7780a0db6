import { accounts } from "../app/admin/account.ts"
import { admin } from "../app/admin/administration.ts"
import { allowances } from "../app/admin/allowances.ts"
import { creation } from "../app/admin/create.ts"
import { leaving } from "../app/admin/deactivation.ts"
import { departments } from "../app/admin/departments.ts"
import { needed } from "../app/admin/needed.ts"
import { roles } from "../app/admin/role-fields.ts"
import { health } from "../app/admin/server.ts"
import { webhooks } from "../app/admin/webhooks.ts"
import { programmeCard } from "../app/programme-card.ts"

/** Texts of the administration. */
export const texts = {
  accounts,
  admin,
  allowances,
  creation,
  leaving,
  departments,
  needed,
  roles,
  health,
  webhooks,
  programmeCard,
}
