import type { HistoryFilter, TransactionRecord } from "../ledger/model.ts"
import type { PersonalSlice, User, UserWithBalance } from "../people/model.ts"

/** Reads for exports. Rows come in slices, between which the event loop runs; memory holds one slice at a time. */
export interface ExportStore {
  /** Matching transactions as of the first slice, ascending by id. */
  transactions(filter: HistoryFilter): AsyncGenerator<TransactionRecord[], void>
  /** Everyone as of the first slice, ascending by id. */
  users(): AsyncGenerator<UserWithBalance[], void>
  /** Everything stored about the user except transactions and hashes of credentials, one list after the other. A long
   *  list comes in several slices. */
  personalRows(user: Pick<User, "id" | "username" | "email">): AsyncGenerator<PersonalSlice, void>
}
