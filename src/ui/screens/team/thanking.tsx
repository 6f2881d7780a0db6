import { PendingWith } from "../../feed/feed.tsx"
import type { Receiver } from "../../transfer/transfer.ts"
import { TransferBox } from "../../transfer/transfer-box.tsx"

interface ThankingProps {
  readonly person: Extract<Receiver, { readonly kind: "person" }>
  readonly hasBox: boolean
}

/** What is on its way to a person, and the box to thank them. */
export function Thanking({ person, hasBox }: ThankingProps) {
  return (
    <>
      <PendingWith username={person.username} />
      {hasBox && <TransferBox to={person} />}
    </>
  )
}
