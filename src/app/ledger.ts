import { createAllowances } from "../domain/allowances/allowances.ts"
import { createGrants } from "../domain/ledger/grants.ts"
import { createLedger, createTransferLimit } from "../domain/ledger/ledger.ts"
import { createReversals } from "../domain/ledger/reversals.ts"
import { createThanks } from "../domain/ledger/thanks.ts"
import { createTransactionList } from "../domain/ledger/transaction-list.ts"
import { createCatalogue } from "../domain/rewards/catalogue.ts"
import { createRedemptions } from "../domain/rewards/redemptions.ts"
import type { Shared } from "./shared.ts"

/** Everything that moves points. */
export function wireLedger({ config, store, clock, calendar, makeOnce, mailJobs }: Shared) {
  const { tags } = config.recognition
  const transferLimit = createTransferLimit(config.limits.transfers_per_minute)
  return {
    ledger: createLedger({ store, clock, transferLimit, tags }),
    thanks: createThanks({ store, clock, transferLimit, tags }),
    grants: createGrants({ store, clock, transferLimit, tags }),
    reversals: createReversals({ store, clock }),
    transactionList: createTransactionList({ store, calendar }),
    allowances: createAllowances({ store, clock, calendar, makeOnce }),
    catalogue: createCatalogue({ store, clock, makeOnce }),
    redemptions: createRedemptions({ store, clock, makeOnce, transferLimit, mailJobs }),
  }
}
