import type { Me } from "../session.ts"

/** Full name and username, on two lines. */
export function Names({ of: { name, username } }: { of: Me }) {
  return (
    <>
      <span dir="auto" class="block truncate text-sm font-medium">
        {name}
      </span>
      <span class="block truncate text-xs text-muted">{username}</span>
    </>
  )
}
