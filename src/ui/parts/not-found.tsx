import type { ComponentChildren } from "preact"

interface NotFoundProps {
  readonly title: string
  /** Where the link leads, and its text. */
  readonly to: string
  readonly link: string
  readonly children: ComponentChildren
}

/** Shown in place of what does not exist, or of what the viewer may not see. */
export function NotFound({ title, to, link, children }: NotFoundProps) {
  return (
    <div class="grid justify-items-start gap-3 py-16">
      <h1 class="text-2xl font-semibold tracking-tight">{title}</h1>
      <p class="text-muted">{children}</p>
      <a href={to} class="btn btn-outline mt-3 border-line font-medium">
        {link}
      </a>
    </div>
  )
}
