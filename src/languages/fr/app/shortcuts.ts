import type * as en from "../../en/app/shortcuts.ts"

export const keys: typeof en.keys = {
  title: "Raccourcis clavier",
  palette: "Chercher ou aller n’importe où",
  give: "Donner des {units}",
  sheet: "Raccourcis clavier",
  close: "Fermer ce qui est ouvert",
  between: "puis",
  done: "Fermer",
}
