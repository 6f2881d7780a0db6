import type * as en from "../../en/app/shortcuts.ts"

export const keys: typeof en.keys = {
  title: "Atalhos de teclado",
  palette: "Buscar ou ir a qualquer lugar",
  give: "Dar {units}",
  sheet: "Atalhos de teclado",
  close: "Fechar o que está aberto",
  between: "depois",
  done: "Fechar",
}
