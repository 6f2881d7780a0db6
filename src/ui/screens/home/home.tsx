import { Feed } from "../../feed/feed.tsx"
import { listOf } from "../../feed/lists.ts"
import { GiveBox } from "../../give/give-box.tsx"
import { useTitle } from "../../parts/use-title.ts"
import { me } from "../../session.ts"
import { fill } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { Balance } from "./balance.tsx"
import { FirstSteps } from "./first-steps.tsx"
import { InitialPassword } from "./initial-password.tsx"

export function Home() {
  const { home } = t()
  useTitle(home.title)
  return (
    <div class="grid gap-8">
      <div class="grid gap-6">
        <InitialPassword />
        <h1 dir="auto" class="text-xl font-semibold tracking-tight">
          {fill(home.greeting, { name: me.value?.name ?? "" })}
        </h1>
        <Balance />
      </div>
      <GiveBox />
      <Feed empty={<FirstSteps />} />
    </div>
  )
}

Home.ahead = () => listOf(null).begin()
