import type * as en from "../../en/app/pockets.ts"

export const kinds: typeof en.kinds = {
  transfer: "Anerkennung",
  grant: "Zuteilung",
  allowance: "Kontingent",
  expiry: "Verfallenes Budget",
  redemption: "Prämie",
  refund: "Rückgabe",
  reversal: "Zurückgenommen",
  occasion: "Anlass",
}

export const pockets: typeof en.pockets = {
  budget: "Budget zum Geben",
  earned: "Verdient",
  noLimit: "Ohne Grenze",
}
