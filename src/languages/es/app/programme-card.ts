import type * as en from "../../en/app/programme-card.ts"

export const programmeCard: typeof en.programmeCard = {
  title: "El programa",
  participation: "Agradecieron este mes",
  requests: "Solicitudes abiertas",
}
