import type * as en from "../../en/app/person.ts"

export const person: typeof en.person = {
  received: "Reçu",
  given: "Donné",
  times: { one: "# fois", other: "# fois" },
  edit: "Modifier mon profil",
  account: "Compte",
  history: "Historique",
  nobodyTitle: "Personne introuvable",
  nobody: "Personne n’a le nom d’utilisateur",
  toPeople: "Chercher des personnes",
  inactive: "N’est plus actif",
  thankedFor: "Le plus remercié pour",
  thankedBy: { one: "# personne a dit merci en un an", other: "# personnes ont dit merci en un an" },
  words: "Les plus beaux mots",
  about: "À propos",
  department: "Service",
  manager: "Responsable",
  joined: "Ici depuis",
  birthday: "Anniversaire",
}
