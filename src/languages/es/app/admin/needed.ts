import type * as en from "../../../en/app/admin/needed.ts"

export const needed: typeof en.needed = {
  anyDuty: "Para esto necesitas una función",
  duty: "Necesitas la función «{duty}»",
  superuser: "Solo los superusuarios pueden abrir esta página",
  ask: "Las funciones las dan los superusuarios. Habla con {names}.",
  askSuperuser: "Habla con {names}.",
}
