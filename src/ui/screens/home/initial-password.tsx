import { addresses } from "../../addresses.ts"
import { account } from "../../session.ts"
import { t } from "../../texts/texts.ts"

/** Whoever still has the password that the server came with is told so. */
export function InitialPassword() {
  const { home } = t()
  if (!account.value?.initial_password) return null
  return (
    <p class="rounded-field border border-warning/25 bg-warning/10 px-3.5 py-3 text-sm">
      {home.initialPassword}{" "}
      <a href={addresses.me} class="link whitespace-nowrap">
        {home.changePassword}
      </a>
    </p>
  )
}
