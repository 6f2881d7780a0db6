import type * as en from "../../../en/app/admin/role-fields.ts"

export const roles: typeof en.roles = {
  manager: "Depende de",
  nobody: "Nadie",
  duties: "Funciones",
  dutiesText: "Lo que lleva esta persona sin ser superusuario.",
  names: { insights: "Análisis", rewards: "Premios", people: "Personas", programme: "Programa" },
  texts: {
    insights: "Lee el análisis, lo pendiente y los archivos para finanzas.",
    rewards: "Cuida el catálogo y responde a las solicitudes.",
    people: "Crea, corrige y desactiva cuentas, salvo las de superusuarios.",
    programme: "Define las reglas para dar, las asignaciones, las celebraciones y los departamentos.",
  },
}
