import type { TransactionEntry } from "../../domain/ledger/model.ts"
import type { Referenced } from "../../domain/ledger/references.ts"
import { utc } from "./dates.ts"
import { partyView } from "./people.ts"

/** A transaction of events. `asSeenBy` has emptied a reason that the reader may not see. */
export const transactionView = (transaction: TransactionEntry) => ({
  id: transaction.id,
  kind: transaction.kind,
  date: utc(transaction.date),
  value: transaction.value,
  from: partyView(transaction.sender),
  to: partyView(transaction.receiver),
  reason: transaction.note?.reason || null,
  tags: transaction.note?.tags ?? [],
  private: transaction.note?.isPrivate ?? false,
  reverses: transaction.reverses,
  reversed: transaction.reversed,
  group: transaction.group,
  adds_to: transaction.addsTo,
})

/** A transaction of /api/v1/transactions. Events go to other systems, and leave the reference out. */
export const listedTransactionView = ({ reference, ...transaction }: Referenced<TransactionEntry>) => ({
  ...transactionView(transaction),
  reference,
})
