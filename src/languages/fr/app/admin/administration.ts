import type * as en from "../../../en/app/admin/administration.ts"

export const admin: typeof en.admin = {
  people: "Personnes",
  points: "{Units}",
  server: "Serveur",
  find: "Chercher une personne par son nom",
  create: "Créer une personne",
  createLead: "Un compte avec un premier mot de passe",
  inviteLead: "Un compte, et une invitation par e-mail",
  import: "Importer d’un fichier",
  importLead: "Créer ou mettre à jour beaucoup de personnes à la fois et les inviter par e-mail",
  download: "Télécharger",
  downloadPeople: "Tout le monde et les soldes, en fichier pour tableurs",
  downloadTransactions: "Toutes les transactions, en fichier pour tableurs",
  allowances: "Dotations",
  programme: "Programme",
  programmeLead: "Règles du don, étiquettes, ce que chacun voit, fêtes",
  insights: "Analyse",
  insightsLead: "Qui participe, qui est oublié, qui remercie qui",
  allowancesLead: "{Units} versés chaque jour, semaine, mois ou trimestre",
  grant: "Donner à beaucoup",
  grantLead:
    "Une attribution à redistribuer : sur l’accueil, saisissez plusieurs noms ou un service. Soit tous la reçoivent, soit personne",
  history: "Les transactions de tous",
  historyLead: "Qui a donné quoi à qui, et quand",
  leavers: "Personnes parties",
  leaversLead: "Comptes qui ont été désactivés",
}
