import type * as en from "../../../en/app/admin/mail-sent.ts"

export const mailSent: typeof en.mailSent = {
  nobody: "L’e-mail n’est pas configuré : personne n’en reçoit.",
  links: "L’e-mail n’est pas configuré : copiez ces liens",
  linksLead:
    "Remettez à chaque personne son lien. Il permet de choisir le mot de passe, donc personne d’autre ne devrait l’avoir.",
}
