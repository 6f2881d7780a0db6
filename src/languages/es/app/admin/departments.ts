import type * as en from "../../../en/app/admin/departments.ts"

export const departments: typeof en.departments = {
  title: "Departamentos",
  adminLead: "Renombrar o unir departamentos",
  lead: "Un departamento existe mientras haya alguien en él. Un nombre nuevo vale para todos los que están en él y para sus asignaciones. Si otro departamento ya tiene el nombre, los dos se unen.",
  superusers: "superusuarios",
  own: "el tuyo: lo renombra un superusuario",
  left: "Todos los que estaban en él se han ido",
  rename: "Renombrar",
  renameTitle: "Renombrar {name}",
  newName: "Nombre nuevo",
  missing: "Escribe un nombre.",
  same: "Ya se llama así.",
  next: "Continuar",
  moves: {
    one: "# persona pasa de {from} a {to}.",
    other: "# personas pasan de {from} a {to}.",
  },
  movesLeft: "Todos los de {from} se han ido. Sus cuentas pasan a {to}.",
  follows: {
    one: "# asignación para {from} valdrá para todos en {to}.",
    other: "# asignaciones para {from} valdrán para todos en {to}.",
  },
  joins: {
    one: "{to} ya existe, con # persona. Después nadie podrá distinguirlos. No se puede deshacer.",
    other: "{to} ya existe, con # personas. Después nadie podrá distinguirlos. No se puede deshacer.",
  },
  joinsLeft: "{to} ya existe; todos sus miembros se han ido. Después nadie podrá distinguirlos. No se puede deshacer.",
  merge: "Unir",
  done: { one: "# persona ha pasado a {to}.", other: "# personas han pasado a {to}." },
  doneLeft: "El nombre es ahora {to}.",
}
