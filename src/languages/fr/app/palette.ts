import type * as en from "../../en/app/palette.ts"

export const palette: typeof en.palette = {
  open: "Chercher ou aller à…",
  search: "Chercher",
  none: "Rien trouvé",
  label: "Chercher des personnes, des pages et des actions",
  screens: "Aller à",
  people: "Personnes",
  actions: "Actions",
  give: "Donner des {units}",
}
