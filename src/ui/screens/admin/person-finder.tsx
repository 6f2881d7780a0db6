import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { accountAddress } from "../../addresses.ts"
import { Avatar } from "../../parts/avatar.tsx"
import { Combobox } from "../../parts/combobox.tsx"
import { useFound } from "../../people/find.ts"
import { t } from "../../texts/texts.ts"

/** Leads to somebody's account by any part of the name. */
export function PersonFinder() {
  const { admin } = t()
  const { route } = useLocation()
  const text = useSignal("")

  return (
    <Combobox
      label={admin.find}
      placeholder={admin.find}
      text={text}
      options={useFound(text.value)}
      keyOf={({ username }) => username}
      onPick={({ username }) => route(accountAddress(username))}
      draw={(face) => (
        <>
          <Avatar {...face} src={face.avatar} size="small" />
          <span class="min-w-0 grow">
            <span dir="auto" class="block truncate">
              {face.name}
            </span>
            <span class="block truncate text-sm text-muted">
              {face.username} · <span dir="auto">{face.dept}</span>
            </span>
          </span>
        </>
      )}
    />
  )
}
