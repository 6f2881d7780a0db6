import { History, Pencil, UserCog } from "lucide"
import { accountAddress, addresses } from "../../addresses.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Icon } from "../../parts/icon.tsx"
import { withQuery } from "../../query.ts"
import { me } from "../../session.ts"
import { t } from "../../texts/texts.ts"
import type { PersonTold } from "./person.tsx"

/** Who it is: face, names, department, and what they say of themselves. */
export function PersonHead({ of: { name, username, dept, avatar, bio } }: { of: PersonTold }) {
  return (
    <>
      <div class="flex flex-wrap items-center gap-x-5 gap-y-4">
        <Avatar name={name} username={username} src={avatar} size="large" />
        <div class="min-w-[min(100%,12rem)] flex-1">
          <h1 class="text-2xl font-semibold tracking-tight">
            <bdi>{name}</bdi>
          </h1>
          <p class="text-muted">
            <bdi>{username}</bdi>
            <span aria-hidden="true"> · </span>
            <bdi>{dept}</bdi>
          </p>
        </div>
      </div>
      {bio && (
        <p dir="auto" class="mt-5 max-w-prose whitespace-pre-line">
          {bio}
        </p>
      )}
      <Ways username={username} />
    </>
  )
}

/** Where one may go from here: to the own profile, to the account, and to the history, as far as one may see them. */
function Ways({ username }: { username: string }) {
  const { person } = t()
  const isOwn = me.value?.username === username
  const isSuperuser = me.value?.role === "superuser"
  if (!isOwn && !isSuperuser) return null
  const history = withQuery(addresses.history, { username: isSuperuser ? username : undefined })
  return (
    <p class="mt-5 flex flex-wrap gap-2">
      {isOwn && (
        <a href={addresses.me} class="btn btn-outline border-line font-medium">
          <Icon of={Pencil} class="size-4" />
          {person.edit}
        </a>
      )}
      {isSuperuser && (
        <a href={accountAddress(username)} class="btn btn-outline border-line font-medium">
          <Icon of={UserCog} class="size-4" />
          {person.account}
        </a>
      )}
      <a href={history} class="btn btn-outline border-line font-medium">
        <Icon of={History} class="size-4" />
        {person.history}
      </a>
    </p>
  )
}
