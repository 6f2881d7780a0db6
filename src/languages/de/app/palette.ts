import type * as en from "../../en/app/palette.ts"

export const palette: typeof en.palette = {
  open: "Suchen …",
  search: "Suchen",
  none: "Nichts gefunden",
  label: "Personen, Seiten und Befehle suchen",
  screens: "Gehe zu",
  people: "Personen",
  actions: "Befehle",
  give: "{Units} geben",
}
