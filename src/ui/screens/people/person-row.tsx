import { personAt } from "../../addresses.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Skeleton } from "../../parts/skeleton.tsx"

interface Face {
  readonly username: string
  readonly name: string
  readonly dept: string
  readonly avatar: string | null
}

/** Somebody in a list, who leads to the own page. */
export function PersonRow({ of: { username, name, dept, avatar } }: { of: Face }) {
  return (
    <a
      href={personAt(username)}
      class="-mx-3 flex min-h-15 items-center gap-3 rounded-field px-3 py-2 hover:bg-base-300/50"
    >
      <Avatar name={name} username={username} src={avatar} />
      {/* Where there is little room for large text, the department goes below. */}
      <span class="flex min-w-0 grow flex-wrap items-center gap-x-3">
        <span class="min-w-0 grow basis-32">
          <span class="block truncate font-medium">
            <bdi>{name}</bdi>
          </span>
          <span class="block truncate text-sm text-muted">{username}</span>
        </span>
        <span class="max-w-full truncate text-sm text-muted">
          <bdi>{dept}</bdi>
        </span>
      </span>
    </a>
  )
}

/** What stands in the place of a list of people. */
export function RowSkeletons() {
  return Array.from({ length: 8 }, (_, index) => (
    <div key={index} class="flex min-h-15 items-center gap-3 py-2">
      <Skeleton class="size-10 rounded-full" />
      <span class="grid gap-1.5">
        <Skeleton class="h-3.5 w-40" />
        <Skeleton class="h-3 w-24" />
      </span>
    </div>
  ))
}
