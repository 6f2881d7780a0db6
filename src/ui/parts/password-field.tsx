import { useSignal } from "@preact/signals"
import { Eye, EyeOff } from "lucide"
import { t } from "../texts/texts.ts"
import { Field } from "./field.tsx"
import { Icon } from "./icon.tsx"

type FieldProps = Parameters<typeof Field>[0]

/** A field for a password, which may be shown. */
export function PasswordField(props: Omit<FieldProps, "type" | "end">) {
  const isShown = useSignal(false)
  const label = isShown.value ? t().login.hide : t().login.show
  const toggle = (
    <button
      type="button"
      class="btn btn-ghost btn-sm btn-square text-muted"
      aria-label={label}
      title={label}
      onClick={() => {
        isShown.value = !isShown.value
      }}
    >
      <Icon of={isShown.value ? EyeOff : Eye} class="size-4.5" />
    </button>
  )
  return <Field {...props} type={isShown.value ? "text" : "password"} autoCapitalize="none" end={toggle} />
}
