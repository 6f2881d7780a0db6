import type * as en from "../../en/app/pockets.ts"

export const pockets: typeof en.pockets = {
  budget: "Verba para dar",
  earned: "Ganhos",
  noLimit: "Sem limite",
}
