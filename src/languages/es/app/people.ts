import type * as en from "../../en/app/people.ts"

export const people: typeof en.people = {
  title: "Personas",
  search: "Nombre o nombre de usuario",
  searchHint: "Nombre",
  department: "Departamento",
  departments: "Todos",
  nobody: "Aquí no hay nadie.",
  noneFits: "No se ha encontrado a nadie con «{text}».",
  everybody: "Mostrar a todos",
  pages: "Páginas",
  first: "Primera página",
  next: "Página siguiente",
  active: "Activas",
  inactive: "Desactivadas",
  whose: "Cuentas",
  nobodyInactive: "No hay ninguna cuenta desactivada.",
}
