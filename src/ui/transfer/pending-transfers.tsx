import { useLayoutEffect } from "preact/hooks"
import { addresses, withQuery } from "../addresses.ts"
import type { FeedList } from "../feed/feed-list.ts"
import { RecognitionEntry } from "../feed/recognition.tsx"
import type { RecognitionGroup } from "../feed/recognition-groups.ts"
import { retryNow } from "../server/retry.ts"
import { me } from "../session.ts"
import { t } from "../texts/texts.ts"
import { outbox, type PendingTransfer, removeRecorded, removeTransfer } from "./outbox.ts"
import { departmentOf, peopleOf } from "./transfer.ts"

/** How long to wait for the live feed to show a recorded transfer before the feed is loaded again. */
const feedTimeoutMs = 800

/** The user's pending transfers for this feed: all of them, or those that involve one person. */
export function usePendingTransfers(username: string | undefined, list: FeedList): readonly PendingTransfer[] {
  const transfers = outbox.value.filter(
    (pending) =>
      pending.username === me.value?.username &&
      !pending.isInFeed &&
      (username === undefined || involves(pending, username)),
  )
  const recordedCount = transfers.filter(({ state }) => state.kind === "recorded").length
  useLayoutEffect(() => {
    if (recordedCount === 0) return
    const timer = setTimeout(() => void refreshFeed(list), feedTimeoutMs)
    return () => clearTimeout(timer)
  }, [recordedCount, list])
  return transfers
}

async function refreshFeed(list: FeedList) {
  await list.load()
  if (list.failure.value === null) removeRecorded()
}

export function PendingTransfers({ transfers }: { transfers: readonly PendingTransfer[] }) {
  return transfers.map((pending) => (
    <li key={pending.key}>
      <RecognitionEntry of={recognitionGroupOf(pending)} state={<StateLine of={pending} />} />
    </li>
  ))
}

function StateLine({ of: pending }: { of: PendingTransfer }) {
  const { give } = t()
  if (pending.state.kind === "sending") return <span>{give.sending}</span>
  const isExpired = pending.state.kind === "expired"
  return (
    <span role="alert" class="flex flex-wrap gap-x-3 gap-y-1 text-sm text-warning">
      {isExpired ? give.expired : give.unknown}
      <a href={historyOf(pending)} class="link pointer-coarse:py-3">
        {give.lookUp}
      </a>
      <button
        type="button"
        class="link pointer-coarse:py-3"
        onClick={isExpired ? () => removeTransfer(pending) : retryNow}
      >
        {isExpired ? give.forget : give.tryAgain}
      </button>
    </span>
  )
}

/** The history that would show the transfer: filtered by sender and, if there is only one, by receiver. */
function historyOf({ transfer, username }: PendingTransfer): string {
  const [one, another] = transfer.to
  const receiver = one?.kind === "person" && another === undefined ? one.username : undefined
  return withQuery(addresses.history, { from_user: username, user: receiver })
}

function recognitionGroupOf({ key, transfer, username, state }: PendingTransfer): RecognitionGroup {
  const department = departmentOf(transfer)
  return {
    ...transfer,
    key,
    single: null,
    from: { username, name: me.value?.name ?? "", avatar: me.value?.avatar ?? null },
    to: peopleOf(transfer),
    ...(department !== null && { dept: department.name }),
    reversed: 0,
    reason: transfer.reason === "" ? null : transfer.reason,
    date: state.kind === "recorded" ? state.date : null,
  }
}

const involves = ({ transfer, username }: PendingTransfer, person: string): boolean =>
  username === person || peopleOf(transfer).some((one) => one.username === person)
