import type * as en from "../../en/app/shortcuts.ts"

export const keys: typeof en.keys = {
  title: "Tastenkürzel",
  palette: "Suchen oder irgendwohin springen",
  give: "{Units} geben",
  sheet: "Tastenkürzel",
  close: "Schließen, was offen ist",
  between: "dann",
  done: "Schließen",
}
