import type * as en from "../../en/app/login.ts"

export const login: typeof en.login = {
  title: "Se connecter",
  username: "Nom d’utilisateur ou e-mail",
  password: "Mot de passe",
  show: "Afficher le mot de passe",
  hide: "Masquer le mot de passe",
  atLeast: { one: "Au moins # caractère", other: "Au moins # caractères" },
  submit: "Se connecter",
  forgot: "Mot de passe oublié ?",
  provider: "Se connecter avec le compte de l’entreprise",
  or: "ou",
  otherAddress: "Vous ne pouvez vous connecter qu’à cette adresse du serveur :",
  missingUsername: "Saisissez votre nom d’utilisateur ou votre adresse e-mail.",
  missingPassword: "Saisissez votre mot de passe.",
  ended: "Votre session est terminée. Connectez-vous pour reprendre où vous en étiez.",
  changed: "Votre mot de passe a changé. Connectez-vous avec le nouveau.",
  again: "Reconnectez-vous d’abord, car cela protège votre compte. Ensuite, réessayez.",
  errors: {
    expired: "Cette connexion a pris trop de temps, ou a commencé dans un autre navigateur. Réessayez.",
    denied: "La connexion a été annulée. Réessayez quand vous voulez.",
    unavailable: "La connexion de votre entreprise est indisponible pour le moment. Réessayez dans un instant.",
    failed:
      "La connexion de votre entreprise a donné une réponse à laquelle on ne peut pas se fier. Si cela se reproduit, prévenez la personne qui gère ce serveur.",
    unverified_email:
      "Le compte de votre entreprise n’a pas d’adresse e-mail confirmée. Demandez à la personne qui gère ces comptes de la confirmer.",
    no_account: "Aucun compte ici n’a votre adresse e-mail. Demandez à un administrateur d’en créer un.",
    inactive: "Votre compte ici est désactivé.",
    superuser:
      "Les administrateurs relient le compte de l’entreprise dans leur profil. Connectez-vous d’abord avec votre mot de passe.",
    linked_elsewhere:
      "Votre compte ici est relié à un autre compte de l’entreprise. Demandez à la personne qui gère ce serveur de le délier.",
    incomplete:
      "Il manque au compte de votre entreprise des données dont un compte d’ici a besoin. Demandez à un administrateur d’en créer un.",
    too_many: "Trop de connexions ont échoué. Réessayez dans cinq minutes.",
  },
}
