import type * as en from "../../en/app/kinds.ts"

export const kinds: typeof en.kinds = {
  transfer: "Reconhecimento",
  grant: "Concessão",
  allowance: "Cota",
  expiry: "Verba expirada",
  redemption: "Prêmio",
  refund: "Devolução",
  reversal: "Estorno",
  occasion: "Data especial",
}
