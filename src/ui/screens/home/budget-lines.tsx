import { addresses, withQuery } from "../../addresses.ts"
import { now } from "../../dates.ts"
import { Time } from "../../parts/time.tsx"
import { api } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { request } from "../../server/request.ts"
import { me } from "../../session.ts"
import { formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

const shown = 2
const dayMs = 86_400_000
const shownDays = 31

/** What somebody got as a budget of late. Budgets are no recognition, so the feed leaves them out. */
const useBudgets = createQuery(async (username: string) => {
  const from = new Date(now.peek() - shownDays * dayMs).toISOString().slice(0, 10)
  const ofKind = (kind: "grant" | "allowance") =>
    request(api.api.v1.transactions.get({ query: { username, user: username, kind, from, size: String(shown) } }))
  const [grants, allowances] = await Promise.all([ofKind("grant"), ofKind("allowance")])
  if (grants.kind !== "done") return grants
  if (allowances.kind !== "done") return allowances
  const both = [...grants.data.items, ...allowances.data.items].filter(({ value, reversed }) => value > reversed)
  return { kind: "done" as const, data: both.sort((one, other) => other.id - one.id).slice(0, shown) }
})

/** The latest budgets of the current user, in quiet lines. */
export function BudgetLines() {
  const { home, history } = t()
  const { data } = useBudgets(me.value?.username ?? "")
  if (data === null || data.length === 0) return null
  return (
    <ul aria-label={home.budgets} class="grid gap-1 text-sm text-muted">
      {data.map(({ id, kind, value, reversed, reason, date }) => (
        <li key={id} class="flex flex-wrap gap-x-2">
          <span class="font-medium tabular-nums">+{formatNumber(value - reversed)}</span>
          <a class="hover:underline" href={withQuery(addresses.history, { kind })}>
            {history.kinds[kind]}
          </a>
          {reason !== null && (
            <span dir="auto" class="min-w-0 break-words">
              {reason}
            </span>
          )}
          <Time date={date} />
        </li>
      ))}
    </ul>
  )
}

BudgetLines.prefetch = useBudgets.prefetch
