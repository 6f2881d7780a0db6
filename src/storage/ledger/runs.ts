import type { RunSlice, Share } from "../../domain/allowances/model.ts"
import type { Transaction } from "../../domain/ledger/model.ts"
import type { Pockets } from "../../domain/people/model.ts"
import { fields, select, sql } from "../sql.ts"
import { allowanceRuns } from "../tables.ts"
import { append } from "./chain.ts"
import type { Kind, LockedLedger } from "./locked-ledger.ts"

/** Another process has paid the slice. */
export class SlicePaid extends Error {}

type ShareOf = (receiver: Pockets, senderBalance: number) => Share

const progress = fields({ throughId: allowanceRuns.throughId })

/** Pays a slice of an allowance's run, and stores how far the run has come. */
export function runSlice(slice: RunSlice, shareOf: ShareOf): Kind {
  const { runId, afterId, throughId, senderId, receiverIds, date, isLast } = slice
  const unfinished = select(progress)`FROM ${allowanceRuns}
    WHERE ${allowanceRuns.id} = ${runId} AND ${allowanceRuns.finishedAt} IS NULL`

  return {
    senderId,
    receiverIds,
    date,
    needs: { exclusive: [`run ${runId}`], queries: [unfinished] },
    check(ledger) {
      for (const id of receiverIds) ledger.accountOf(id)
      if (ledger.rowOf(unfinished)?.throughId !== afterId) throw new SlicePaid()
    },
    append: (ledger, from, to) => receiverIds.slice(from, to).flatMap((id) => pay(ledger, slice, id, shareOf)),
    after(ledger, transactions) {
      const { people, total, expired } = sumsOf(transactions)
      ledger.send(sql`UPDATE ${allowanceRuns} SET through_id = ${throughId}, people = people + ${people},
        total = total + ${total}, expired = expired + ${expired}, finished_at = ${isLast ? date : null}
        WHERE ${allowanceRuns.id} = ${runId}`)
    },
  }
}

/** Appends nothing when the receiver gets nothing, or was deactivated after the slice was read. */
function pay(ledger: LockedLedger, slice: RunSlice, receiverId: number, shareOf: ShareOf): Transaction[] {
  const { senderId, date, note } = slice
  const receiver = ledger.accountOf(receiverId)
  if (!receiver.isActive) return []
  const { value, expired } = shareOf(receiver, ledger.accountOf(senderId).balance)
  const paid: Transaction[] = []
  if (expired > 0)
    paid.push(append(ledger, { kind: "expiry", senderId: receiverId, receiverId: senderId, value: expired, date }))
  if (value > 0) paid.push(append(ledger, { kind: "allowance", senderId, receiverId, value, date, note }))
  return paid
}

/** How many people were paid, how much in all, and how much expired. */
function sumsOf(transactions: readonly Transaction[]) {
  const sums = { people: 0, total: 0, expired: 0 }
  for (const { kind, value } of transactions)
    if (kind === "expiry") sums.expired += value
    else {
      sums.people += 1
      sums.total += value
    }
  return sums
}
