import type * as en from "../../en/app/shortcuts.ts"

export const keys: typeof en.keys = {
  title: "Atajos de teclado",
  palette: "Buscar o ir a cualquier sitio",
  give: "Dar {units}",
  sheet: "Atajos de teclado",
  close: "Cerrar lo que está abierto",
  between: "y luego",
  done: "Cerrar",
}
