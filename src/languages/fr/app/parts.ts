import type * as en from "../../en/app/parts.ts"

export const parts: typeof en.parts = {
  cancel: "Annuler",
  close: "Fermer",
  withoutPerson: "retirer {name}",
  left: "encore {number} caractères",
  noneFound: "Personne trouvé",
  found: { one: "# trouvé", other: "# trouvés" },
}

export const missing: typeof en.missing = {
  title: "Page introuvable",
  text: "Il n’y a pas de page à cette adresse.",
  back: "Aller à l’accueil",
}

export const live: typeof en.live = {
  live: "En direct",
  trying: "Connexion",
  down: "Hors ligne depuis {time}",
}

export const failures: typeof en.failures = {
  unreachable: "Le serveur est injoignable. Réessayez dans un instant.",
  broken: "Quelque chose a échoué sur le serveur. Réessayez ; si cela continue, prévenez la personne qui s’en occupe.",
  screenTitle: "Pas chargé",
  screen: "Cette page n’a pas pu être chargée.",
  screenWaits: "Elle se chargera d’elle-même dès que le serveur sera joignable.",
  unloaded: "Le serveur est injoignable. Cela se chargera dès qu’il le sera.",
  locked: "Votre session est terminée. Cela se chargera quand vous vous serez connecté.",
  part: "Cela n’a pas pu être chargé. Rechargez la page quand le serveur sera joignable.",
  retry: "Réessayer",
  wait: "Réessayez dans {time}.",
}
