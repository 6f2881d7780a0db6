import type * as en from "../../en/app/forgot.ts"

export const forgot: typeof en.forgot = {
  title: "Mot de passe oublié ?",
  lead: "Saisissez votre adresse e-mail et nous vous enverrons un lien pour en choisir un nouveau.",
  email: "Adresse e-mail",
  submit: "Envoyer le lien",
  missing: "Saisissez votre adresse e-mail.",
  wrong: "Saisissez une adresse e-mail complète, comme ana@example.com.",
  sentTitle: "Regardez vos e-mails",
  sent: "S’il existe un compte avec cette adresse, un lien est en route. Il sert une fois, et seulement quelques minutes.",
  again: "Utiliser une autre adresse",
  back: "Retour à la connexion",
}
