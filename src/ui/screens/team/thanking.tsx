import { ownTransfers, PendingTransfers } from "../../feed/feed.tsx"
import type { Receiver } from "../../transfer/transfer.ts"
import { TransferBox } from "../../transfer/transfer-box.tsx"

interface ThankingProps {
  readonly person: Extract<Receiver, { readonly kind: "person" }>
  readonly hasBox: boolean
}

/** What is on its way to a person, and the box to thank them. */
export function Thanking({ person, hasBox }: ThankingProps) {
  // The row itself shows what is recorded.
  const pending = ownTransfers(person.username).filter(({ state }) => state.kind !== "recorded")
  return (
    <>
      {pending.length > 0 && (
        <ul>
          <PendingTransfers transfers={pending} />
        </ul>
      )}
      {hasBox && <TransferBox to={person} />}
    </>
  )
}
