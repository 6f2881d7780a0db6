import type * as en from "../../../en/app/admin/departments.ts"

export const departments: typeof en.departments = {
  title: "Services",
  adminLead: "Renommer ou réunir des services",
  lead: "Un service existe tant que quelqu’un en fait partie. Un nouveau nom vaut pour tous ses membres et pour ses dotations. Si un autre service porte déjà ce nom, les deux sont réunis.",
  superusers: "superutilisateurs",
  own: "le vôtre : un superutilisateur le renomme",
  left: "Tous ses membres sont partis",
  rename: "Renommer",
  renameTitle: "Renommer {name}",
  newName: "Nouveau nom",
  missing: "Saisissez un nom.",
  same: "C’est déjà son nom.",
  next: "Continuer",
  moves: {
    one: "# personne passe de {from} à {to}.",
    other: "# personnes passent de {from} à {to}.",
  },
  movesLeft: "Tous les membres de {from} sont partis. Leurs comptes passent à {to}.",
  follows: {
    one: "# dotation pour {from} vaudra pour tous ceux de {to}.",
    other: "# dotations pour {from} vaudront pour tous ceux de {to}.",
  },
  joins: {
    one: "{to} existe déjà, avec # personne. Ensuite, plus personne ne pourra distinguer les deux. C’est définitif.",
    other: "{to} existe déjà, avec # personnes. Ensuite, plus personne ne pourra distinguer les deux. C’est définitif.",
  },
  joinsLeft:
    "{to} existe déjà ; tous ses membres sont partis. Ensuite, plus personne ne pourra distinguer les deux. C’est définitif.",
  merge: "Réunir",
  done: { one: "# personne est passée à {to}.", other: "# personnes sont passées à {to}." },
  doneLeft: "Le nom est maintenant {to}.",
}
