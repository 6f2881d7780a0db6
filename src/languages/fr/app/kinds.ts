import type * as en from "../../en/app/kinds.ts"

export const kinds: typeof en.kinds = {
  transfer: "Remerciement",
  grant: "Attribution",
  allowance: "Dotation",
  expiry: "Budget expiré",
  redemption: "Récompense",
  refund: "Remboursement",
  reversal: "Repris",
  occasion: "Fête",
}
