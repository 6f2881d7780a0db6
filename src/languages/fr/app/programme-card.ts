import type * as en from "../../en/app/programme-card.ts"

export const programmeCard: typeof en.programmeCard = {
  title: "Le programme",
  participation: "Ont remercié ce mois-ci",
  requests: "Demandes en attente",
}
