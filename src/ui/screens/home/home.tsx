import { useTitle } from "../../parts/use-title.ts"
import { me } from "../../session.ts"
import { fill, formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

export function Home() {
  const { home } = t()
  useTitle(home.title)
  const member = me.value
  if (member === null) return null
  return (
    <>
      <h1 dir="auto" class="text-xl font-semibold tracking-tight">
        {fill(home.greeting, { name: member.name })}
      </h1>
      <dl class="mt-6">
        <dt class="text-sm text-muted">{home.balance}</dt>
        <dd class="text-5xl font-semibold tracking-tight tabular-nums">{formatNumber(member.balance)}</dd>
      </dl>
    </>
  )
}
