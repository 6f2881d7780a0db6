import { addresses } from "../../addresses.ts"
import { mayOpen } from "../../rights.ts"
import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

const { insights } = api.api.v1
const useParticipation = createQuery((_: null) => request(insights.participation.get()))
const useOutstanding = createQuery((_: null) => request(insights.outstanding.monthly.get()))

interface ProgrammeCardProps {
  /** How many requests for rewards are open; undefined until that is known. */
  readonly requests: number | undefined
}

/** How the programme is doing, for those who run it: participation, open requests, points outstanding. */
export function ProgrammeCard({ requests }: ProgrammeCardProps) {
  const { admin, finance } = t()
  const months = useParticipation(null).data?.items
  const outstanding = useOutstanding(null).data?.items
  const figures = [
    {
      name: admin.card.participation,
      value: months && (months.at(-1)?.senders ?? 0),
      address: addresses.adminInsights,
    },
    ...(mayOpen(addresses.adminRewards)
      ? [{ name: admin.card.requests, value: requests, address: addresses.adminRewards }]
      : []),
    {
      name: finance.balance,
      value: outstanding && (outstanding.at(-1)?.balance ?? 0),
      address: addresses.adminInsights,
    },
  ]
  return (
    <dl class="grid grid-cols-1 gap-1">
      {figures.map(({ name, value, address }) => (
        <div key={name} class="flex items-baseline justify-between gap-3">
          <dt class="min-w-0">
            <a href={address} class="hover:underline">
              {name}
            </a>
          </dt>
          <dd class="font-medium tabular-nums">{value === undefined ? "–" : formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
