import { managementDept } from "../auth/roles.ts"
import { normalized } from "../text.ts"
import { maxLengths } from "./fields.ts"

/** Equal for two spellings of the same department. */
const deptKey = (dept: string): string =>
  normalized(dept, "NFC", maxLengths.dept).trim().replace(/\s+/gu, " ").toLowerCase()

/**
 * Returns a function that gives the spelling to store for a department: an existing one that differs only in case or white
 * space, so that "Sales" does not appear beside "sales"; otherwise its own, which counts as existing from then on.
 * `management` must be spelled exactly, because it makes superusers.
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
