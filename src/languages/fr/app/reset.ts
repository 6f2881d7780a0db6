import type * as en from "../../en/app/reset.ts"

export const reset: typeof en.reset = {
  title: "Choisir un nouveau mot de passe",
  welcome: "Bienvenue. Choisissez votre mot de passe.",
  welcomeByName: "Bienvenue, {name}. Choisissez votre mot de passe.",
  password: "Nouveau mot de passe",
  confirm: "Répétez le mot de passe",
  submit: "Enregistrer le mot de passe",
  missing: "Saisissez un nouveau mot de passe.",
  differ: "Les mots de passe ne correspondent pas.",
  spentTitle: "Ce lien n’est plus valable",
  spent: "Un lien sert une fois, et pour un temps limité. Vous pouvez en demander un nouveau.",
  missingTitle: "Le lien est incomplet",
  missingLink: "Ouvrez de nouveau le lien de l’e-mail, ou demandez-en un nouveau.",
  ask: "Demander un nouveau lien",
}
