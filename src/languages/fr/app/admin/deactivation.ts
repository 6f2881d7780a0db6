import type * as en from "../../../en/app/admin/deactivation.ts"

export const leaving: typeof en.leaving = {
  title: "Quand cette personne part",
  lead: "Un compte désactivé ne peut plus servir. Vous pouvez le réactiver, ou effacer ce qui est conservé sur la personne.",
  leadWithoutErasure: "Un compte désactivé ne peut plus servir. Vous pouvez le réactiver.",
  titleInactive: "Ce compte est désactivé",
  leadInactive:
    "Personne ne peut s’y connecter, et il n’apparaît plus dans les listes et classements. Son historique reste.",
  isErased: "Ce compte a été effacé. Il n’en reste que les transactions, sous ce nom de remplacement.",
  deactivatedSince: "Désactivé",
  deactivate: "Désactiver",
  deactivateTitle: "Désactiver {name} ?",
  endsAccess: "Toutes les sessions se terminent aussitôt, et la connexion n’est plus possible.",
  leavesLists:
    "Le compte disparaît des recherches, des listes et des classements en cours, et ne reçoit plus d’e-mails.",
  keepsHistory: "L’historique reste, et vous pourrez réactiver le compte plus tard.",
  returnLeft: "Rendre à Admin les {points} qui restent",
  returnLeftLead: "L’historique le montre comme un remboursement. Réactiver le compte ne ramène pas les {units}.",
  keepLeftLead: "Sinon ils restent dans le compte, et personne ne peut s’en servir tant qu’il est désactivé.",
  deactivated: "{name} est désactivé.",
  deactivatedReturned: "{name} est désactivé. Ce qui restait est revenu à Admin.",
  reactivate: "Réactiver",
  reactivateTitle: "Réactiver {name} ?",
  reactivateLead:
    "La connexion redevient possible, avec le mot de passe d’avant. Les anciennes sessions restent terminées.",
  reactivated: "{name} peut se connecter de nouveau.",
  returnPoints: "Rendre des {units}",
  returnTitle: "Rendre {points} à Admin ?",
  returned: "{points} de {name} sont revenus à Admin.",
  erase: "Effacer",
  eraseTitle: "Effacer {name} ?",
  erasesIdentity: "Le nom, le nom d’utilisateur et l’adresse e-mail sont remplacés partout (« Former colleague »).",
  erasesProfile:
    "L’image, la présentation, l’anniversaire, le premier jour et les sessions sont supprimés, ainsi que les adresses IP des connexions passées.",
  keepsTransactions: "Les transactions restent, sous le nom de remplacement.",
  keepsPoints: "Les transactions restent, sous le nom de remplacement, de même que les {points} qui restent.",
  reasons: "Motifs et réponses",
  reasonsOf: {
    none: "Tout garder",
    written: "Effacer ce que {name} a écrit",
    all: "Effacer aussi les motifs pour lesquels d’autres ont remercié {name}",
  },
  eraseFinal: "C’est définitif. Les sauvegardes faites avant contiennent encore tout.",
  typeUsername: "Pour confirmer, saisissez le nom d’utilisateur : {username}",
  wrongUsername: "Saisissez « {username} ».",
  eraseConfirm: "Effacer définitivement",
  erased: "{name} est effacé.",
}
