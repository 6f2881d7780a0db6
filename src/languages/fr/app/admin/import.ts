import type * as en from "../../../en/app/admin/import.ts"

export const imports: typeof en.imports = {
  title: "Importer d’un fichier",
  lead: "Un fichier CSV dont la première ligne nomme les colonnes : name, email et dept, et au choix username, currency, avatar, bio, birthday (MM-JJ), joined (le premier jour, AAAA-MM-JJ), manager (un nom d’utilisateur ou une adresse e-mail) et active (yes ou no). Des noms courants comme E-mail ou Service sont aussi compris. Les personnes déjà présentes sont mises à jour ; les mots de passe et les {units} ne changent jamais.",
  choose: "Choisir un fichier",
  drop: "Ou déposez-le ici. Il est d’abord vérifié ; rien ne change encore.",
  chooseAgain: "Choisissez un autre fichier, ou le même une fois corrigé",
  new: { one: "# nouvelle personne", other: "# nouvelles personnes" },
  changed: { one: "# modifiée", other: "# modifiées" },
  unchanged: { one: "# inchangée", other: "# inchangées" },
  newDepartments: { one: "Nouveau service :", other: "Nouveaux services :" },
  deactivated: { one: "# personne sera désactivée", other: "# personnes seront désactivées" },
  deactivatedLead:
    "Elles sont déconnectées aussitôt et ne peuvent plus se connecter. Leur historique et leurs {units} restent.",
  reactivated: { one: "# personne sera réactivée", other: "# personnes seront réactivées" },
  reactivatedLead: "Elles peuvent se connecter de nouveau, avec le mot de passe d’avant.",
  nothingNew: "Tous ceux de ce fichier sont déjà là, avec les mêmes données. Il n’y a rien à faire.",
  faults: { one: "# problème trouvé.", other: "# problèmes trouvés." },
  nothingDone: "Rien n’est importé tant que tout le fichier n’est pas correct.",
  row: "Ligne",
  column: "Colonne",
  fault: "Problème",
  more: { one: "et # de plus", other: "et # de plus" },
  invite: "Inviter les nouvelles personnes par e-mail",
  inviteLead: "Chacune reçoit un lien pour choisir un mot de passe. Il est valable sept jours.",
  submit: "Importer",
  done: "Importé : {counts}.",
  invited: "Les invitations sont en route.",
  toPeople: "Voir les personnes",
  /** Invites people who never logged in. */
  again: {
    title: "Inviter de nouveau",
    lead: "Les personnes qui ne se sont jamais connectées reçoivent un nouveau lien, valable sept jours. Les liens précédents restent valables jusqu’à leur fin.",
    submit: "Inviter qui ne s’est jamais connecté",
    done: { one: "# invitation est en route.", other: "# invitations sont en route." },
  },
}
