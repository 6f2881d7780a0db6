import type { HeldByPerson, Outstanding } from "../../domain/ledger/outstanding.ts"
import { faceView } from "./people.ts"

/** What a person holds, of /api/v1/insights/outstanding and of the command line. */
export const holdingView = ({ balance, redeemable, value, ...person }: HeldByPerson) => ({
  ...faceView(person),
  ...{ balance, redeemable, value },
})

/** What all people hold together. */
export const outstandingView = ({
  at,
  currency,
  total: { balance, redeemable, value },
}: Omit<Outstanding, "items">) => ({
  ...{ at, currency, total: { balance, redeemable, value } },
})
