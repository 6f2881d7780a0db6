import type * as en from "../../en/app/pockets.ts"

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

export const pockets: typeof en.pockets = {
  budget: "Budget à donner",
  earned: "Gagné",
  noLimit: "Sans limite",
}
