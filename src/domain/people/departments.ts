import { managementDept } from "../auth/roles.ts"
import { normalized } from "../text.ts"
import { maxLengths } from "./fields.ts"

/** Two spellings of one department are equal here. */
const deptKey = (dept: string): string =>
  normalized(dept, "NFC", maxLengths.dept).trim().replace(/\s+/gu, " ").toLowerCase()

/**
 * Answers the spelling to store for a department: an existing one where it differs only in case or white space, since
 * nobody wants "Sales" beside "sales". A new one counts as existing from then on. Only the exact spelling of
 * `management` means it, because it makes superusers.
 */
export function deptSpelling(existing: Iterable<string>): (dept: string) => string {
  const exact = new Set<string>()
  const byKey = new Map<string, string>()
  for (const dept of existing) add(dept)

  function add(dept: string) {
    exact.add(dept)
    const key = deptKey(dept)
    if (!byKey.has(key)) byKey.set(key, dept)
  }

  return (dept) => {
    const key = deptKey(dept)
    const known = exact.has(dept) || key === managementDept ? dept : byKey.get(key)
    if (known === undefined) add(dept)
    return known ?? dept
  }
}
