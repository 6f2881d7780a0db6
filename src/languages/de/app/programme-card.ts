import type * as en from "../../en/app/programme-card.ts"

export const programmeCard: typeof en.programmeCard = {
  title: "Das Programm",
  participation: "Haben diesen Monat gedankt",
  requests: "Offene Anfragen",
}
