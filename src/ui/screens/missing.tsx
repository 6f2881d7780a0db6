import { addresses } from "../addresses.ts"
import { useTitle } from "../parts/title.ts"
import { t } from "../texts/texts.ts"

/** Shown for an address without a screen. */
export function Missing() {
  const { missing } = t()
  useTitle(missing.title)
  return (
    <div class="grid justify-items-start gap-3 py-16">
      <h1 class="text-2xl font-semibold tracking-tight">{missing.title}</h1>
      <p class="text-muted">{missing.text}</p>
      <a href={addresses.home} class="btn btn-outline mt-3 border-line font-medium">
        {missing.back}
      </a>
    </div>
  )
}
