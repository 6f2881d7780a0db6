import type * as en from "../../../en/app/admin/programme.ts"

export const programme: typeof en.programme = {
  title: "Programme",
  lead: "Ce que vous décidez ici vaut au bout d’une seconde, pour tout le monde : dans l’application, dans les chats et pour d’autres programmes. Chaque changement est dans le journal d’audit.",
  usual: "Par défaut : {value}",
  nothing: "rien",
  save: "Enregistrer",
  saved: "Enregistré. Cela vaut dès maintenant.",
  unsaved: "Pas encore enregistré.",
  conflict: "Quelqu’un d’autre l’a modifié entre-temps. Ce qui est enregistré :",
  theirs: "Garder ce qui est enregistré",
  mine: "Le remplacer par le mien",
  wholeNumber: "Saisissez un nombre entier.",
  wholeNumbers: "Saisissez des nombres entiers, séparés par des virgules.",
  noAmount: "Saisissez un montant, comme 0.05.",
  noCurrency: "Saisissez le code d’une monnaie, comme EUR.",
  parts: {
    giving: { title: "Donner", lead: "Ce que l’application propose de donner, et ce qu’elle demande." },
    tags: { title: "Étiquettes", lead: "Ce pour quoi on peut remercier, comme les valeurs de votre entreprise." },
    shown: { title: "Ce que chacun voit", lead: "Les superutilisateurs voient tout, sauf un classement coupé." },
    occasions: {
      title: "Fêtes",
      lead: "Fêtées sur l’accueil à neuf heures du matin : les anniversaires de ceux qui l’ont accepté, le reste sauf refus.",
    },
    worth: { title: "Ce que vaut un {unit}", lead: "Seulement pour les chiffres de la comptabilité dans l’analyse." },
  },
  settings: {
    amounts: {
      label: "Montants proposés",
      hint: "De un à huit, séparés par des virgules. Tout autre montant peut aussi être saisi.",
    },
    reason: {
      label: "Motif",
      hint: "S’il faut dire pourquoi on donne.",
      options: { optional: "Facultatif", required: "Obligatoire" },
    },
    reason_min: {
      label: "Motif le plus court",
      hint: "Combien de caractères un motif a au moins, jusqu’à 500. Avec 0, toute longueur convient.",
    },
    "most_to_one.points": {
      label: "Au plus à une personne",
      hint: "Combien de {units} une personne peut donner à une autre dans la période ci-dessous. Vide : aucune limite.",
    },
    "most_to_one.period": {
      label: "Période de cette limite",
      hint: "Elle recommence avec chaque semaine, mois ou trimestre du calendrier.",
      options: { week: "Semaine", month: "Mois", quarter: "Trimestre" },
    },
    give_from: {
      label: "Donner à partir de",
      hint: "Si l’on peut donner ce qu’on a gagné. Avec le budget seul, cela reste pour les récompenses.",
      options: { balance: "Du budget, puis de ce qui est gagné", budget: "Du budget seul" },
    },
    tag: {
      label: "Étiquette",
      hint: "S’il faut choisir au moins une étiquette.",
      options: { optional: "Facultative", required: "Obligatoire" },
    },
    tags: {
      label: "Liste des étiquettes",
      hint: "Dans cet ordre. Une étiquette retirée reste sur ce qui a déjà été donné.",
    },
    "points_name.one": {
      label: "Nom au singulier",
      hint: "Comment vous en appelez un seul. Le nom par défaut est traduit ; tout autre nom sert dans toutes les langues.",
    },
    "points_name.many": {
      label: "Nom au pluriel",
      hint: "De même pour plusieurs.",
    },
    amounts_shown: {
      label: "Montants",
      hint: "Qui voit combien a été donné : sur l’accueil, sur le mur, sur les pages des personnes et dans les classements.",
      options: { everyone: "Tout le monde", concerned: "Seulement qui a donné ou reçu" },
    },
    leaderboard: {
      label: "Classement",
      hint: "Qui voit le classement.",
      options: { everyone: "Tout le monde", superusers: "Superutilisateurs", off: "Personne : il n’y en a pas" },
    },
    "point_value.amount": {
      label: "Somme d’argent",
      hint: "Avec six décimales au plus. Vide : aucun argent n’est affiché.",
    },
    "point_value.currency": {
      label: "Monnaie",
      hint: "Son code, comme EUR.",
    },
  },
  occasions: {
    on: "oui",
    off: "non",
    birthday: { title: "Anniversaires", active: "Fêter les anniversaires" },
    anniversary: { title: "Ancienneté", active: "Fêter l’ancienneté" },
    first_day: { title: "Premiers jours", active: "Fêter les premiers jours" },
    points: "{Units} en cadeau",
    pointsHint: "0 pour aucun.",
    text: "Ce que lisent les collègues",
    textHint: "{name} est la personne.",
    textHintYears: "{name} est la personne, {years} le nombre d’années.",
  },
  tags: {
    emoji: "Emoji",
    name: "Nom",
    description: "Description",
    add: "Ajouter une étiquette",
    remove: "Retirer l’étiquette {name}",
    up: "Monter l’étiquette {name}",
    none: "Il n’y a pas encore d’étiquettes.",
  },
}
