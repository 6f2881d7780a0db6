import type * as en from "../../../en/app/admin/needed.ts"

export const needed: typeof en.needed = {
  anyDuty: "Il vous faut une mission",
  duty: "Il vous faut la mission « {duty} »",
  superuser: "Seuls les superutilisateurs peuvent ouvrir cette page",
  ask: "Les superutilisateurs confient les missions. Adressez-vous à {names}.",
  askSuperuser: "Adressez-vous à {names}.",
}
