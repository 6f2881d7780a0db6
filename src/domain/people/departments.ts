import { auditEntry } from "../audit/audit-log.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import type { Store } from "../store.ts"
import { normalized } from "../text.ts"
import { checkedDept, maxLengths } from "./fields.ts"
import type { Department, RenamedDept } from "./model.ts"
import type { PeopleStore } from "./ports.ts"
import { type Actor, isSuperuser, managementDept, requireDuty } from "./roles.ts"

interface RenameRequest {
  /** The new name. */
  readonly name: string
  /** Whether the department may be merged into another one that has this name. */
  readonly merges?: boolean | undefined
}

export interface Rename extends RenamedDept {
  /** The new name, in the spelling of the department of this name if there is one. */
  readonly name: string
  /** How many active members the other department of this name had; null when there is none to merge with. */
  readonly joins: number | null
}

interface Dependencies {
  readonly store: Pick<Store, "allowances" | "people" | "users">
  readonly clock: Clock
}

export type Departments = ReturnType<typeof createDepartments>

/**
 * Departments. They are only names in accounts, so a department exists as long as an account has its name. Lists show
 * departments with active members; those who run the programme can find, rename and merge the others too, except their own,
 * because an allowance may follow the name.
 */
export function createDepartments({ store, clock }: Dependencies) {
  return {
    /** Departments with active members (true), inactive ones (false) or any (null), and the number of these. */
    list: (active: boolean | null = true): Promise<Department[]> => store.people.departments(active),

    /** @throws DomainError `dept_not_found` */
    async named(name: string): Promise<Department> {
      const found = deptNamed(await allDepartments(store.people), name)
      if (!found) throw new DomainError("dept_not_found")
      return found
    },

    /** What `rename` would do. @throws DomainError `invalid`, `own_request` */
    async preview(actor: Actor, department: Department, request: RenameRequest): Promise<Rename> {
      const { name, joins } = await targetOf(actor, department, request)
      if (name === department.name) return { name, joins, people: 0, allowances: 0 }
      const allowances = (await store.allowances.list()).filter(
        ({ audience }) => "dept" in audience && audience.dept === department.name,
      )
      return { name, joins, people: department.people, allowances: allowances.length }
    },

    /**
     * Renames a department. If another one has the new name, both are merged, with their allowances. A merge cannot be
     * undone, so the request has to allow it. `management` can be neither renamed nor merged, because its members
     * become superusers, which must be decided for each person.
     * @throws DomainError `not_superuser`, `invalid`, `own_request`, `dept_exists`, `dept_being_paid`
     */
    async rename(actor: Actor, department: Department, request: RenameRequest): Promise<Rename> {
      requireDuty(actor, "programme")
      const { name, joins } = await targetOf(actor, department, request)
      if (name === department.name) return { name, joins, people: 0, allowances: 0 }
      if (joins !== null && !request.merges) throw new DomainError("dept_exists")
      const detail = `${department.name} -> ${name}${joins === null ? "" : " (joined)"}`
      const entry = auditEntry(actor, clock(), "dept_renamed", {
        detail,
        before: { name: department.name },
        after: { name },
      })
      return { name, joins, ...(await store.users.renameDept(department.name, name, entry)) }
    },
  }

  async function targetOf({ user }: Actor, department: Department, request: RenameRequest) {
    const asked = checkedDept(request.name, "name").trim()
    if (department.name === managementDept || deptKey(asked) === managementDept)
      throw invalid("name", `${managementDept} makes superusers, so it cannot be renamed or joined`)
    const others = (await allDepartments(store.people)).filter((other) => other.name !== department.name)
    const name = deptSpelling(others.map((other) => other.name))(asked)
    if (user !== null && !isSuperuser(user) && [department.name, name].includes(user.dept))
      throw new DomainError("own_request")
    return { name, joins: others.find((other) => other.name === name)?.people ?? null }
  }
}

/** All departments: first those with active members, then those without, with 0 people. */
export async function allDepartments(people: Pick<PeopleStore, "departments">): Promise<Department[]> {
  const active = await people.departments()
  const names = new Set(active.map(({ name }) => name))
  const others = (await people.departments(false)).filter(({ name }) => !names.has(name))
  return [...active, ...others.map(({ name }) => ({ name, people: 0 }))]
}

/** The department of this name: the exact spelling first, otherwise one that differs only in case or white space. */
export function deptNamed(departments: readonly Department[], name: string): Department | null {
  const key = deptKey(name)
  return (
    departments.find((department) => department.name === name) ??
    departments.find((department) => deptKey(department.name) === key) ??
    null
  )
}

/** Equal for two spellings of the same department. */
const deptKey = (dept: string): string =>
  normalized(dept, "NFC", maxLengths.dept).trim().replace(/\s+/gu, " ").toLowerCase()

/**
 * Returns a function that gives the spelling to store for a department. If an existing one differs only in case or
 * white space, it is that spelling, so that "Sales" does not appear beside "sales". Otherwise it is the given spelling
 * without surrounding white space, which counts as existing from then on. `management` must be spelled exactly, because
 * it makes superusers.
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
    if (known !== undefined) return known
    const added = dept.trim()
    add(added)
    return added
  }
}
