import type * as en from "../../en/chat/give.ts"

export const giveTexts: typeof en.giveTexts = {
  usage:
    "Écrivez `/give @ada 25 pour la relecture #soin` : une personne, les {units} et, si vous voulez, un motif et des étiquettes.",
  sending: "Envoi…",
  sent: "Vous avez donné {points} à {name}. Il vous reste {left} à donner.",
  noAddress:
    "{chat} ne connaît aucune adresse e-mail confirmée de vous. Confirmez-la dans votre profil {chat}, puis réessayez.",
  unknownSender:
    "Personne n’a ici l’adresse e-mail {email} de votre profil {chat}. Demandez à un administrateur de la mettre dans votre compte.",
  unknownReceiver: "{name} n’a pas de compte ici. Choisissez quelqu’un dans la liste que {chat} affiche après @.",
  tooLittle: "Vous avez {left} à donner. Donnez moins, ou attendez votre prochaine dotation.",
  noTags: "Il n’y a pas d’étiquettes ici. N’en mettez pas.",
  unknownTag: "Choisissez parmi ces étiquettes : {tags}",
  badValue: "Donnez un nombre entier de {units}, au moins 1.",
  refused: "Rien n’a été envoyé : {why}",
  notSetUp:
    "Rien n’a été envoyé : cette application n’est pas entièrement configurée. Dites à un administrateur de lancer `rewards doctor`.",
  noDialog: "Le formulaire n’a pas pu s’ouvrir. Réessayez, ou écrivez `/give @ada 25 pour la relecture`.",
  dialog: {
    title: "Donner des {units}",
    send: "Donner",
    cancel: "Annuler",
    to: "À",
    value: "{Units}",
    reason: "Pourquoi",
    tags: "Étiquettes",
  },
}
