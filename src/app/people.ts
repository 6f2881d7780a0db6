import { createAuditEntries } from "../domain/auth/audit-entries.ts"
import type { Passwords } from "../domain/auth/passwords.ts"
import { createExports } from "../domain/exports/exports.ts"
import { createLeavers } from "../domain/ledger/leavers.ts"
import { createDepartments } from "../domain/people/departments.ts"
import { createImports } from "../domain/people/imports.ts"
import { createPeopleSearch } from "../domain/people/people-search.ts"
import { createProvisioning } from "../domain/people/provisioning.ts"
import { createUsers } from "../domain/people/users.ts"
import { createSuggestions } from "../domain/recognition/suggestions.ts"
import type { Shared } from "./shared.ts"

export function wirePeople(
  { store, clock, calendar, address, hashing, makeOnce, mailJobs, auditLog }: Shared,
  { passwords }: { passwords: Passwords },
) {
  const { unusableHash } = hashing
  const users = createUsers({ store, clock, hashing, checkNewPassword: passwords.check, makeOnce, mailJobs, address })
  const leavers = createLeavers({ store, clock, unusableHash })
  return {
    users,
    leavers,
    people: createPeopleSearch({ store }),
    departments: createDepartments({ store, clock }),
    suggestions: createSuggestions({ store, clock }),
    provisioning: createProvisioning({ store, users, leavers }),
    imports: createImports({ store, clock, makeOnce, unusableHash, mailJobs, address }),
    exports: createExports({ store, clock, calendar, auditLog }),
    auditEntries: createAuditEntries({ store, clock, calendar, auditLog }),
  }
}
