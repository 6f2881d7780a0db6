import type { ComponentChildren } from "preact"
import { CompanyLogo } from "../parts/company-logo.tsx"
import { serviceName } from "../screen.ts"

/** The layout of the screens before the log-in: one narrow column. */
export function LoginLayout({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <main
      id="main"
      tabIndex={-1}
      class="mx-auto grid min-h-dvh w-full max-w-[25rem] content-start gap-8 px-6 py-[max(2rem,14dvh)]"
    >
      <p class="flex items-center gap-2.5 font-semibold">
        <CompanyLogo />
        {serviceName}
      </p>
      <div class="grid gap-2">
        <h1 class="text-2xl font-semibold tracking-tight text-balance">{title}</h1>
        {lead && <p class="text-muted">{lead}</p>}
      </div>
      {children}
    </main>
  )
}
