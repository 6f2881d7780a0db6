import type { PeopleTexts } from "../en/people.ts"

const recognition: PeopleTexts["recognition"] = {
  title: "Remerciement",
  copy: "Copier le lien",
  copied: "Lien copié",
  notCopied: "Copiez l’adresse de la barre d’adresse.",
  share: "Partager",
  toFeed: "Tous les remerciements",
  notFound: "Remerciement introuvable",
  notFoundText: "Il est peut-être privé, ou le lien est incomplet.",
}

const people: PeopleTexts["people"] = {
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

export const peopleTexts: PeopleTexts = { recognition, people }
