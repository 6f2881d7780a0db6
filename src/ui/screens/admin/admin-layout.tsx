import { ChevronLeft } from "lucide"
import type { ComponentChildren } from "preact"
import { addresses } from "../../addresses.ts"
import { Icon } from "../../parts/icon.tsx"
import { useTitle } from "../../screen.ts"
import { t } from "../../texts/texts.ts"

interface AdminLayoutProps {
  readonly title: string
  /** Shows a link back to the administration's start page. */
  readonly isPart?: boolean
  readonly children: ComponentChildren
}

/** The layout of all administration screens. */
export function AdminLayout({ title, isPart = false, children }: AdminLayoutProps) {
  useTitle(title)
  return (
    <>
      {isPart && (
        <a
          href={addresses.admin}
          class="-ms-1 mb-1 inline-flex min-h-8 items-center gap-1 text-sm text-muted hover:text-base-content pointer-coarse:min-h-11"
        >
          <Icon of={ChevronLeft} class="size-4 rtl:rotate-180" />
          {t().shell.admin}
        </a>
      )}
      <h1 dir="auto" class="text-xl font-semibold tracking-tight">
        {title}
      </h1>
      {children}
    </>
  )
}
