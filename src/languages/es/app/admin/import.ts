import type * as en from "../../../en/app/admin/import.ts"

export const imports: typeof en.imports = {
  title: "Importar de un archivo",
  lead: "Un archivo CSV cuya primera fila nombra las columnas: name, email y dept, y si se quiere username, currency, avatar, bio, birthday (MM-DD), joined (el primer día, AAAA-MM-DD), manager (un nombre de usuario o correo) y active (yes o no). También se entienden nombres habituales como Correo o Departamento. Quien ya existe se actualiza; las contraseñas y los {units} nunca cambian.",
  choose: "Elegir un archivo",
  drop: "O arrástralo aquí. Primero se revisa; todavía no cambia nada.",
  chooseAgain: "Elige otro archivo, o el mismo de nuevo cuando lo hayas corregido",
  new: { one: "# persona nueva", other: "# personas nuevas" },
  changed: { one: "# cambiada", other: "# cambiadas" },
  unchanged: { one: "# sin cambios", other: "# sin cambios" },
  newDepartments: { one: "Departamento nuevo:", other: "Departamentos nuevos:" },
  deactivated: { one: "Se desactivará # persona", other: "Se desactivarán # personas" },
  deactivatedLead:
    "Se cierra su sesión al momento y ya no pueden volver a entrar. Su historial y sus {units} se quedan.",
  reactivated: { one: "Se reactivará # persona", other: "Se reactivarán # personas" },
  reactivatedLead: "Pueden volver a iniciar sesión, con la contraseña de antes.",
  nothingNew: "Todos los de este archivo ya están aquí con los mismos datos. No hay nada que hacer.",
  faults: { one: "# problema encontrado.", other: "# problemas encontrados." },
  nothingDone: "No se importa nada hasta que todo el archivo esté bien.",
  row: "Fila",
  column: "Columna",
  fault: "Problema",
  more: { one: "y # más", other: "y # más" },
  invite: "Invitar por correo a las personas nuevas",
  inviteLead: "Cada una recibe un enlace para elegir una contraseña. Vale durante siete días.",
  submit: "Importar",
  done: "Importado: {counts}.",
  invited: "Las invitaciones están en camino.",
  toPeople: "Ver personas",
  /** Invites people who never logged in. */
  again: {
    title: "Invitar de nuevo",
    lead: "Quien no ha entrado nunca recibe un enlace nuevo, que vale durante siete días. Los enlaces anteriores siguen valiendo hasta que terminen.",
    submit: "Invitar a quienes no han entrado nunca",
    done: { one: "# invitación está en camino.", other: "# invitaciones están en camino." },
  },
}
