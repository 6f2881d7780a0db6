import { useId } from "preact/hooks"
import { FormField } from "../../parts/form-field.tsx"
import type { useForm } from "../../parts/use-form.ts"
import { useDepartments } from "../../people/departments.ts"
import { fill } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

/** The department that makes superusers. */
const management = "management"

/** The server takes two spellings with the same key for one department. */
const keyOf = (dept: string): string => dept.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase()

/** A department: one that there is, or a new one. */
export function DeptField({ of }: { of: ReturnType<typeof useForm<string>>["fields"][string] }) {
  const { admin } = t()
  const id = useId()
  const { data } = useDepartments(null)
  const typed = of.value.value.trim()
  const names = data?.items.map(({ name }) => name) ?? []
  const existing = names.includes(typed) ? undefined : names.find((name) => keyOf(name) === keyOf(typed))
  const isAlmostManagement = typed !== management && keyOf(typed) === management
  return (
    <div class="grid gap-1.5">
      <FormField label={admin.dept} of={of} list={id} autoComplete="off" />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <p role="status" class="text-sm text-muted">
        {typed === management && admin.superusers}
        {isAlmostManagement && admin.almostManagement}
        {existing !== undefined && !isAlmostManagement && fill(admin.deptExists, { name: existing })}
      </p>
    </div>
  )
}
