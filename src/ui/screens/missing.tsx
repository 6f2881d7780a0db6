import { addresses } from "../addresses.ts"
import { NotFound } from "../parts/not-found.tsx"
import { useTitle } from "../screen.ts"
import { t } from "../texts/texts.ts"

/** Shown for an address without a screen. */
export function Missing() {
  const { missing } = t()
  useTitle(missing.title)
  return (
    <NotFound title={missing.title} to={addresses.home} link={missing.back}>
      {missing.text}
    </NotFound>
  )
}
