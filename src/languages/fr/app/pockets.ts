import type * as en from "../../en/app/pockets.ts"

export const pockets: typeof en.pockets = {
  budget: "Budget à donner",
  earned: "Gagné",
  noLimit: "Sans limite",
}
