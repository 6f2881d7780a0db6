import type * as en from "../../en/app/pockets.ts"

export const pockets: typeof en.pockets = {
  budget: "Budget zum Geben",
  earned: "Verdient",
  noLimit: "Ohne Grenze",
}
