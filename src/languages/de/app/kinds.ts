import type * as en from "../../en/app/kinds.ts"

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
