import type * as en from "../../en/app/person.ts"

export const person: typeof en.person = {
  received: "Recibido",
  given: "Dado",
  times: { one: "# vez", other: "# veces" },
  edit: "Editar mi perfil",
  account: "Cuenta",
  history: "Historial",
  nobodyTitle: "Persona no encontrada",
  nobody: "Nadie tiene el nombre de usuario",
  toPeople: "Buscar personas",
  inactive: "Ya no está activa",
  thankedFor: "Lo que más se le agradece",
  thankedBy: {
    one: "# persona le ha dado las gracias en un año",
    other: "# personas le han dado las gracias en un año",
  },
  words: "Las palabras más bonitas",
  about: "Sobre la persona",
  department: "Departamento",
  manager: "Responsable",
  joined: "Aquí desde",
  birthday: "Cumpleaños",
}
