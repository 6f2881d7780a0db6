import type * as en from "../../en/app/kinds.ts"

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
