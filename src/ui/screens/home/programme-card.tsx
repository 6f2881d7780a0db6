import { useSignal } from "@preact/signals"
import { addresses } from "../../addresses.ts"
import { mayOpen } from "../../rights.ts"
import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { useRequests } from "./open-requests.ts"
import { Section } from "./section.tsx"

const { insights } = api.api.v1
const useParticipation = createQuery((_: null) => request(insights.participation.get()))
const useOutstanding = createQuery((_: null) => request(insights.outstanding.monthly.get()))

/** How the programme is doing, for those who run it: participation, open requests, points outstanding. */
function Figures() {
  const { finance, programmeCard } = t()
  const requests = useRequests(null).data?.items.length
  const months = useParticipation(null).data?.items
  const outstanding = useOutstanding(null).data?.items
  const figures = [
    {
      name: programmeCard.participation,
      value: months && (months.at(-1)?.senders ?? 0),
      address: addresses.adminInsights,
    },
    ...(mayOpen(addresses.adminRewards)
      ? [{ name: programmeCard.requests, value: requests, address: addresses.adminRewards }]
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

/** The card in the second column. */
export function Card() {
  return (
    <Section title={t().programmeCard.title}>
      <Figures />
    </Section>
  )
}

/** The card where there is no second column, folded: nothing is asked of the server before it is opened. */
export function FoldedCard() {
  const isOpen = useSignal(false)
  return (
    <details
      class="rounded-box bg-base-100 px-4"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary class="min-h-11 cursor-pointer content-center font-medium text-muted">{t().programmeCard.title}</summary>
      <div class="pb-3">{isOpen.value && <Figures />}</div>
    </details>
  )
}
