import type { Me } from "../session.ts"

/** Full name and username, on two lines. */
export function Names({ of: { name, username } }: { of: Me }) {
  return (
    <>
      <span dir="auto" translate={false} class="block text-sm font-medium wrap-break-word">
        {name}
      </span>
      <span translate={false} class="block text-xs wrap-break-word text-muted">
        {username}
      </span>
    </>
  )
}
