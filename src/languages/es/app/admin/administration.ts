import type * as en from "../../../en/app/admin/administration.ts"

export const admin: typeof en.admin = {
  people: "Personas",
  points: "{Units}",
  server: "Servidor",
  find: "Buscar a una persona por su nombre",
  create: "Crear una persona",
  createLead: "Una cuenta con una contraseña inicial",
  inviteLead: "Una cuenta, y una invitación por correo",
  import: "Importar de un archivo",
  importLead: "Crear o actualizar a muchas personas a la vez e invitarlas por correo",
  download: "Descargar",
  downloadPeople: "Todos y sus saldos, como archivo para hojas de cálculo",
  downloadTransactions: "Todas las transacciones, como archivo para hojas de cálculo",
  allowances: "Asignaciones",
  programme: "Programa",
  programmeLead: "Reglas para dar, etiquetas, lo que ve la gente, celebraciones",
  insights: "Análisis",
  insightsLead: "Quién participa, a quién se olvida, quién da las gracias a quién",
  allowancesLead: "{Units} que se pagan cada día, semana, mes o trimestre",
  grant: "Dar a muchos",
  grantLead:
    "Una concesión para repartir: en Inicio, escribe varios nombres o un departamento. O lo reciben todos o nadie",
  history: "Las transacciones de todos",
  historyLead: "Quién dio qué a quién, y cuándo",
  leavers: "Personas que se han ido",
  leaversLead: "Cuentas que se han desactivado",
}
