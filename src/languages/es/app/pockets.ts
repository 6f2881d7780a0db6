import type * as en from "../../en/app/pockets.ts"

export const kinds: typeof en.kinds = {
  transfer: "Reconocimiento",
  grant: "Concesión",
  allowance: "Asignación",
  expiry: "Presupuesto caducado",
  redemption: "Premio",
  refund: "Devolución",
  reversal: "Retirado",
  occasion: "Celebración",
}

export const pockets: typeof en.pockets = {
  budget: "Presupuesto para dar",
  earned: "Ganado",
  noLimit: "Sin límite",
}
