import type * as en from "../../en/app/pockets.ts"

export const pockets: typeof en.pockets = {
  budget: "Presupuesto para dar",
  earned: "Ganado",
  noLimit: "Sin límite",
}
