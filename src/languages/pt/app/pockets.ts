import type * as en from "../../en/app/pockets.ts"

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

export const pockets: typeof en.pockets = {
  budget: "Verba para dar",
  earned: "Ganhos",
  noLimit: "Sem limite",
}
