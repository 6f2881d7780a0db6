import type * as en from "../../../en/app/admin/role-fields.ts"

export const roles: typeof en.roles = {
  manager: "Dépend de",
  nobody: "Personne",
  duties: "Missions",
  dutiesText: "Ce dont cette personne s’occupe sans être superutilisateur.",
  names: { insights: "Analyse", rewards: "Récompenses", people: "Personnes", programme: "Programme" },
  texts: {
    insights: "Lit l’analyse, ce qui reste dû et les fichiers pour la comptabilité.",
    rewards: "Tient le catalogue et répond aux demandes.",
    people: "Crée, corrige et désactive des comptes, sauf ceux des superutilisateurs.",
    programme: "Fixe les règles du don, les dotations, les fêtes et les services.",
  },
}
