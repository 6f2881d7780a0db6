import type * as en from "../../en/app/palette.ts"

export const palette: typeof en.palette = {
  open: "Buscar",
  search: "Buscar",
  none: "Nada encontrado",
  label: "Buscar pessoas, telas e ações",
  screens: "Ir para",
  people: "Pessoas",
  actions: "Ações",
  give: "Dar {units}",
}
