import type { PeopleTexts } from "../en/people.ts"

const recognition: PeopleTexts["recognition"] = {
  title: "Reconocimiento",
  copy: "Copiar enlace",
  copied: "Enlace copiado",
  notCopied: "Copia la dirección de la barra de direcciones.",
  share: "Compartir",
  toFeed: "Todos los reconocimientos",
  notFound: "Reconocimiento no encontrado",
  notFoundText: "Puede que sea privado, o que el enlace esté incompleto.",
}

const people: PeopleTexts["people"] = {
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

export const peopleTexts: PeopleTexts = { recognition, people }
