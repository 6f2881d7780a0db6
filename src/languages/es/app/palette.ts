import type * as en from "../../en/app/palette.ts"

export const palette: typeof en.palette = {
  open: "Buscar o ir a…",
  search: "Buscar",
  none: "No se ha encontrado nada",
  label: "Buscar personas, pantallas y acciones",
  screens: "Ir a",
  people: "Personas",
  actions: "Acciones",
  give: "Dar {units}",
}
