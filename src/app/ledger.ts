import { createAllowances } from "../domain/allowances/allowances.ts"
import { createGrants } from "../domain/ledger/grants.ts"
import { createLedger, createMostToOneOf, createRequestLimitOf } from "../domain/ledger/ledger.ts"
import { createOutstanding } from "../domain/ledger/outstanding.ts"
import { createReferences } from "../domain/ledger/references.ts"
import { createReversals } from "../domain/ledger/reversals.ts"
import { createThanks } from "../domain/ledger/thanks.ts"
import { createTransactionList } from "../domain/ledger/transaction-list.ts"
import { createOccasions } from "../domain/occasions/occasions.ts"
import { createAdditions } from "../domain/recognition/additions.ts"
import { createCatalogue } from "../domain/rewards/catalogue.ts"
import { createRedemptions } from "../domain/rewards/redemptions.ts"
import type { Shared } from "./shared.ts"

/** Everything that moves points. */
export function wireLedger({ config, store, clock, calendar, makeOnce, mailJobs, auditLog, programme }: Shared) {
  const requestLimitOf = createRequestLimitOf(config.limits.transfers_per_minute)
  const rules = { requestLimitOf, programme: programme.current, mostToOneOf: createMostToOneOf(calendar) }
  return {
    ledger: createLedger({ store, clock, ...rules }),
    thanks: createThanks({ store, clock, ...rules }),
    additions: createAdditions({ store, clock, ...rules }),
    grants: createGrants({ store, clock, ...rules }),
    references: createReferences(store),
    reversals: createReversals({ store, clock }),
    transactionList: createTransactionList({ store, calendar }),
    outstanding: createOutstanding({ store, clock, calendar, auditLog, pointValueAt: programme.pointValueAt }),
    allowances: createAllowances({ store, clock, calendar, makeOnce }),
    occasions: createOccasions({ store, programme: programme.current, clock, calendar }),
    catalogue: createCatalogue({ store, clock, makeOnce }),
    redemptions: createRedemptions({ store, clock, makeOnce, requestLimitOf, mailJobs }),
  }
}
