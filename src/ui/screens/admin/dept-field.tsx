import { useId } from "preact/hooks"
import { FormField } from "../../parts/form-field.tsx"
import type { useForm } from "../../parts/use-form.ts"
import { useDepartments } from "../../people/departments.ts"
import { t } from "../../texts/texts.ts"

/** The department that makes superusers. */
const management = "management"

/** A department: one that there is, or a new one. */
export function DeptField({ of }: { of: ReturnType<typeof useForm<string>>["fields"][string] }) {
  const { admin } = t()
  const id = useId()
  const { data } = useDepartments(null)
  return (
    <div class="grid gap-1.5">
      <FormField label={admin.dept} of={of} list={id} autoComplete="off" />
      <datalist id={id}>
        {data?.items.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {of.value.value.trim() === management && <p class="text-sm text-muted">{admin.superusers}</p>}
    </div>
  )
}
