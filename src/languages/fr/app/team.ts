import type * as en from "../../en/app/team.ts"

export const team: typeof en.team = {
  title: "Mon équipe",
  summary: "Remerciés ces 30 derniers jours : {thanked} sur {all}",
  whom: "Qui montrer",
  depths: { direct: "Équipe directe", all: "Tous sous ma responsabilité" },
  waiting: "Pas remerciés depuis 30 jours",
  thanked: "Remerciés ces 30 derniers jours",
  reportsTo: "dépend de {name}",
  joined: "ici depuis {day}",
  lastThanked: "Dernier merci",
  never: "jamais encore",
  received: "Reçu",
  given: "Donné",
  nothing: "rien en 30 jours",
  thank: "Remercier",
  thankPerson: "Remercier {name}",
  more: "En montrer plus",
  empty: "Personne ne dépend de vous. La personne qui gère les comptes peut l’indiquer.",
  everybody: "Montrer tout le monde",
}
