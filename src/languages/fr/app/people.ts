import type * as en from "../../en/app/people.ts"

export const people: typeof en.people = {
  title: "Personnes",
  search: "Nom ou nom d’utilisateur",
  searchHint: "Nom",
  department: "Service",
  departments: "Tous",
  nobody: "Il n’y a personne ici.",
  noneFits: "Personne trouvé pour « {text} ».",
  everybody: "Montrer tout le monde",
  pages: "Pages",
  first: "Première page",
  next: "Page suivante",
  active: "Actifs",
  inactive: "Désactivés",
  whose: "Comptes",
  nobodyInactive: "Aucun compte n’est désactivé.",
}
